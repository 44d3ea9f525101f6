-- hits_with_relevant_count: one row per hit, with the number of relevant items of its list.
SELECT hits.list_id, hits.rank, hits.hit_number, relevant_counts.n_relevant
FROM hits
JOIN relevant_counts ON hits.truth_id = relevant_counts.truth_id
