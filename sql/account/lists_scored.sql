-- lists_scored: lists that the means are taken over
--
-- shown: always
SELECT COUNT(*) AS lists_scored
FROM metrics
