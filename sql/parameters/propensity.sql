-- propensity: the probability that a relevant item is seen in the truth.
SELECT
  propensity AS given, -- the column propensity of the truth
  propensity AS items, -- the column propensity of the items
  POWER(CAST(COALESCE(n_users, fewest_users) AS DOUBLE) / most_users, ($gamma + 1) / CAST(2 AS DOUBLE)) AS popularity, -- (users of the item / users of the most popular item)^((gamma + 1) / 2); an item without users counts as the least popular item (Yang et al. 2018)
  1 / (1 + (LN(NULLIF(n_all_users, 0)) - 1) * POWER(CAST($jain_b + 1 AS DOUBLE), $jain_a) * POWER(CAST(COALESCE(n_users, 0) + $jain_b AS DOUBLE), -$jain_a)) AS jain -- 1 / (1 + (ln(n) - 1) (jain_b + 1)^jain_a (users of the item + jain_b)^-jain_a) for a history of n users (Jain et al. 2016)
FROM relevant_exposure
