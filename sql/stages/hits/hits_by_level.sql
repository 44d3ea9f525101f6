-- hits_by_level: each hit, repeated for each last rank of a gain in the ideal list that is not above the hit.
SELECT hits.list_id, hits.rank, hits.rating, ideal_dcgs.ideal_dcg_so_far
FROM hits
JOIN ideal_dcgs ON hits.truth_id = ideal_dcgs.truth_id AND hits.rank <= ideal_dcgs.rank
WHERE ideal_dcgs.is_level_end = 1
