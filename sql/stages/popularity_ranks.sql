-- popularity_ranks: where each known item stands among all by popularity, from near 0 to 1; ties share their mean place.
SELECT
  item,
  (RANK() OVER (ORDER BY n_users) + (COUNT(*) OVER (PARTITION BY n_users) - 1) / CAST(2 AS DOUBLE))
    / COUNT(*) OVER () AS quantile
FROM popularity
