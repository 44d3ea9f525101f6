-- surprises: sum of the self-information of the first k recommendations.
--
-- undefined: the history has only one user.
-- range: [0, inf)
SELECT CASE WHEN COUNT(*) = COUNT($surprise) THEN COALESCE(SUM($surprise), 0) END AS surprises
FROM recommended_user_counts
WHERE rank <= $k
