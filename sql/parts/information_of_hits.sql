-- information_of_hits: sum, over the hits, of gain times discount times the information of the item by its popularity.
--
-- An item that nobody knows is as informative as the least popular one.
-- range: [0, inf)
SELECT COALESCE(SUM($gain * $discount * LN(CAST(n_interactions AS DOUBLE) / COALESCE(n_users, fewest_users)) / LN(2)), 0) AS information_of_hits
FROM hit_interaction_counts
WHERE rank <= $k
