-- lists_empty: lists have only rows without an item; counted among the lists without recommendations
--
-- shown: if any
SELECT COUNT(CASE WHEN n_list_items = 0 THEN 1 END) AS lists_empty
FROM metrics
