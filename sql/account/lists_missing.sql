-- lists_missing: lists have truth but no recommendations; they score 0 if the metric is defined
--
-- shown: if any
SELECT COUNT(*) - COUNT(n_list_rows) AS lists_missing
FROM metrics
