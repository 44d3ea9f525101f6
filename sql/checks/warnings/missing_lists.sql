-- missing_lists: Lists of the truth have no recommendations.
--
-- severity: warning
-- order: 115
-- say: {lists_missing} of {lists_scored} lists of the truth have no recommendations. They score 0 where the metric
--    is defined.
SELECT lists_missing AS n
FROM account
WHERE lists_missing >= 10 AND 20 * lists_missing >= lists_scored
