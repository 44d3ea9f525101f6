-- lists_scored: lists in the means
--
-- shown: always
SELECT COUNT(*) AS lists_scored
FROM metrics
