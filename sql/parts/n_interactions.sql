-- n_interactions: total popularity of all items.
--
-- undefined: the list is empty, or no item has a popularity.
-- range: [0, inf)
SELECT MAX(n_interactions) AS n_interactions
FROM recommended_interaction_counts
WHERE rank <= $k
