-- rarities_of_hits: sum, over the hits, of gain times discount times the share of users who do not have the item in their history.
--
-- undefined: the history has no users.
-- range: [0, inf)
SELECT CASE WHEN COUNT(*) = COUNT($gain * $discount * (1 - COALESCE(n_users, 0) / CAST(NULLIF(n_all_users, 0) AS DOUBLE))) THEN
  COALESCE(SUM($gain * $discount * (1 - COALESCE(n_users, 0) / CAST(NULLIF(n_all_users, 0) AS DOUBLE))), 0) END AS rarities_of_hits
FROM hit_user_counts
WHERE rank <= $k
