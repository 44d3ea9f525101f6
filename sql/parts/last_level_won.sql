-- last_level_won: the last recall level that the list reaches at a higher rank than the baseline; 0 if there is none.
--
-- range: [0, inf)
SELECT COALESCE(MAX(CASE WHEN preference = 1 THEN level END), 0) AS last_level_won
FROM recall_levels
WHERE rank <= $k
