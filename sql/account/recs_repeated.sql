-- recs_repeated: recommendations that repeat an item of their list; a relevant item is credited once, unless a metric says otherwise
--
-- Of all recommendations, whatever the cutoffs: the rows of a list that have an item, less its different items.
-- sample: beside a summary of ranks, which sorts no row, sampled_repeated stands for it
-- shown: if any
SELECT COALESCE(SUM(n_repeated), 0) AS recs_repeated
FROM list_repeat_counts
