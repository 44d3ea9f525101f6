-- weight_of_relevant: number of relevant items of the list.
--
-- range: [0, inf)
SELECT COALESCE(MAX(n_relevant), 0) AS weight_of_relevant
FROM relevant_counts
