-- rarities: sum, over the hits, of gain times discount times the share of users who do not know the item.
--
-- range: [0, inf)
SELECT COALESCE(SUM($gain * $discount * (1 - COALESCE(n_users, 0) / CAST(NULLIF(n_all, 0) AS DOUBLE))), 0) AS rarities
FROM rare_hits
WHERE rank <= $k
