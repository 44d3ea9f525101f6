-- n_actions: number of logged actions at the first k positions.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_actions
FROM logged_actions
WHERE rank <= $k
