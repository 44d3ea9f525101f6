-- n_impressions_logged: number of impressions of the list in the log.
--
-- range: [0, inf)
SELECT SUM(opens) AS n_impressions_logged
FROM logged_actions
