-- lists_missing: lists have no recommendations; they score 0 where the metric is defined
--
-- A list whose rows all have no item is one of them.
-- shown: if any
SELECT COUNT(*) - COUNT(CASE WHEN n_list_items > 0 THEN 1 END) AS lists_missing
FROM metrics
