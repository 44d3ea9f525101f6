-- surprise: how surprising a recommendation is, by how many users know the item.
SELECT
  LN(CAST(NULLIF(n_all_users, 0) AS DOUBLE) / COALESCE(n_users, 1)) / NULLIF(LN(NULLIF(n_all_users, 0)), 0) AS normalized, -- -log2(users of the item / users) / log2(users): 0 to 1; an unknown item: 1; one user in all: NULL
  CASE WHEN n_all_users > 0 THEN COALESCE(LN(CAST(NULLIF(n_all_users, 0) AS DOUBLE) / n_users) / LN(2), 0) END AS bits, -- -log2(users of the item / users); an unknown item: 0
  LN(CAST(NULLIF(n_all_users, 0) AS DOUBLE) / COALESCE(n_users, 1)) / LN(2) AS capped_bits -- -log2(users of the item / users), at most log2(users): an unknown item counts as known to one user (RecTools)
FROM recommended_user_counts
