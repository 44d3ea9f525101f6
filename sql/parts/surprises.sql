-- surprises: sum of the surprise of the first k places.
--
-- undefined: the history knows only one user.
-- range: [0, inf)
SELECT CASE WHEN COUNT(*) = COUNT($surprise) THEN COALESCE(SUM($surprise), 0) END AS surprises
FROM recommended_user_counts
WHERE rank <= $k
