-- first_level_lost: the first recall level that the baseline reaches at a higher rank than the list; NULL if there is none.
--
-- range: [0, inf)
SELECT MIN(CASE WHEN preference = -1 THEN level END) AS first_level_lost
FROM recall_levels
WHERE rank <= $k
