-- information_of_recommendations: sum, over the first k recommendations, of -log2 of the item's share of all interactions.
--
-- An item without a popularity adds 0.
-- range: [0, inf)
SELECT COALESCE(SUM(COALESCE(LN(CAST(n_interactions AS DOUBLE) / n_users), 0)) / LN(2), 0) AS information_of_recommendations
FROM recommended_interaction_counts
WHERE rank <= $k
