-- hits_within_r: the hits among the first R places, R being how many items are relevant to the list.
SELECT hits.list_id, hits.rank
FROM hits
JOIN sizes ON hits.truth_id = sizes.truth_id
WHERE hits.rank <= sizes.n_relevant
