-- first_level_won: the first recall level that the list reaches at a higher rank than the baseline; NULL if there is none.
--
-- range: [0, inf)
SELECT MIN(CASE WHEN preference = 1 THEN level END) AS first_level_won
FROM recall_levels
WHERE rank <= $k
