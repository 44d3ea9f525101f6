-- hits_within_r: one row per hit among the first R ranks, where R is the number of relevant items of the list.
SELECT hits.list_id, hits.rank
FROM hits
JOIN relevant_counts ON hits.truth_id = relevant_counts.truth_id
WHERE hits.rank <= relevant_counts.n_relevant
