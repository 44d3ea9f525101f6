-- matches: sum of the probabilities under the policy of the logged actions at the first k positions.
--
-- range: [0, inf)
SELECT COALESCE(SUM(probability), 0) AS matches
FROM logged_actions
WHERE rank <= $k
