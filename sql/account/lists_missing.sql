-- lists_missing: lists of the truth without a row among the recommendations; scored 0 where a metric is defined
--
-- shown: if any
SELECT COUNT(*) - COUNT(n_list_rows) AS lists_missing
FROM metrics
