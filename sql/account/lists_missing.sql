-- lists_missing: lists of the truth without a row among the recommendations; scored 0 where a metric is defined
--
-- shown: if any
SELECT COUNT(*) AS lists_missing
FROM scored
WHERE n_rows = 0
