-- scores_differ: 1 if every candidate of the list has a score and the scores are not all equal, else 0.
--
-- undefined: there is no score column.
-- needs: score
-- range: [0, 1]
SELECT CASE WHEN COUNT(score) = COUNT(*) AND MIN(score) < MAX(score) THEN 1 ELSE 0 END AS scores_differ
FROM recommendations_with_pool
