-- lists_empty: lists with rows and no item in them; scored 0 where a metric is defined
--
-- shown: if any
SELECT COUNT(*) AS lists_empty
FROM scored
WHERE n_rows > 0 AND n_items = 0
