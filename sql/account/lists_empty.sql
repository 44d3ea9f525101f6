-- lists_empty: lists with rows and no item in them; scored 0 where a metric is defined
--
-- shown: if any
SELECT COUNT(CASE WHEN n_list_items = 0 THEN 1 END) AS lists_empty
FROM metrics
