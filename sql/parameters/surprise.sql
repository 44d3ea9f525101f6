-- surprise: the self-information of a recommended item, from the number of users who have it in their history.
SELECT
  LN(CAST(NULLIF(n_all_users, 0) AS DOUBLE) / COALESCE(n_users, 1)) / NULLIF(LN(NULLIF(n_all_users, 0)), 0) AS normalized, -- -log2(users of the item / all users) / log2(all users): 0 to 1; 1 for an item that no user has; undefined if there is only one user
  CASE WHEN n_all_users > 0 THEN COALESCE(LN(CAST(NULLIF(n_all_users, 0) AS DOUBLE) / n_users) / LN(2), 0) END AS bits, -- -log2(users of the item / all users); 0 for an item that no user has
  LN(CAST(NULLIF(n_all_users, 0) AS DOUBLE) / COALESCE(n_users, 1)) / LN(2) AS capped_bits -- -log2(users of the item / all users), at most log2(all users): an item that no user has counts as if one user had it (RecTools)
FROM recommended_user_counts
