-- lists_scored: lists that are scored
--
-- shown: always
SELECT COUNT(*) AS lists_scored
FROM metrics
