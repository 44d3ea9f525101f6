-- lists_missing: lists with truth but without recommendations; scored 0 if the metric is defined
--
-- shown: if any
SELECT COUNT(*) - COUNT(n_list_rows) AS lists_missing
FROM metrics
