-- last_level_lost: the last recall level that the baseline reaches at a higher rank than the list; 0 if there is none.
--
-- range: [0, inf)
SELECT COALESCE(MAX(CASE WHEN preference = -1 THEN level END), 0) AS last_level_lost
FROM recall_levels
WHERE rank <= $k
