-- lists_empty: lists have only rows without an item; they score 0 if the metric is defined
--
-- shown: if any
SELECT COUNT(CASE WHEN n_list_items = 0 THEN 1 END) AS lists_empty
FROM metrics
