-- hits_by_level: one row per hit and last rank of a gain in the ideal list, from the rank of the hit on.
SELECT hits.list_id, hits.rank, hits.rating, ideal_dcgs.ideal_dcg_so_far
FROM hits
JOIN ideal_dcgs ON hits.truth_id = ideal_dcgs.truth_id AND hits.rank <= ideal_dcgs.rank
WHERE ideal_dcgs.is_level_end = 1
