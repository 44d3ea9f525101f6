-- information_of_hits: sum of gain times discount times the self-information of the item over the hits.
--
-- The self-information is -log2 of the item's share of all interactions. An item without a popularity has the
-- self-information of the least popular item.
-- range: [0, inf)
SELECT COALESCE(SUM($gain * $discount * LN(CAST(n_interactions AS DOUBLE) / COALESCE(n_users, fewest_users)) / LN(2)), 0) AS information_of_hits
FROM hit_interaction_counts
WHERE rank <= $k
