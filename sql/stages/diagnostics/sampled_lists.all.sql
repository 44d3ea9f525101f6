-- sampled_lists: one row per list of the truth, where the first 500 are too few to tell hits from chance.
-- when: all lists
SELECT truth_id, n_relevant
FROM relevant_counts
