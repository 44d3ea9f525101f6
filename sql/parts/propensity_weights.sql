-- propensity_weights: sum of the inverse propensity of the item over the hits.
--
-- range: [0, inf)
SELECT COALESCE(SUM(CASE WHEN n_users > 0 THEN LEAST(CAST(n_interactions AS DOUBLE) / n_users, 10000) END), 0) AS propensity_weights
FROM hit_interaction_counts
WHERE rank <= $k
