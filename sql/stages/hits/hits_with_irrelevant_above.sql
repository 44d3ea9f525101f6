-- hits_with_irrelevant_above: one row per hit, with the number of judged irrelevant items above it, at most R.
--
-- R is the number of relevant items of the list.
SELECT running_irrelevant_counts.list_id, running_irrelevant_counts.rank, LEAST(running_irrelevant_counts.n_irrelevant_so_far, relevant_counts.n_relevant) AS n_irrelevant_above
FROM running_irrelevant_counts
JOIN relevant_counts ON running_irrelevant_counts.truth_id = relevant_counts.truth_id
WHERE running_irrelevant_counts.is_relevant = 1
