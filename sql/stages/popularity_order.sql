-- popularity_order: the known items, most popular first, with the popularity of all up to each.
SELECT
  item, n_users,
  SUM(n_users) OVER (ORDER BY n_users DESC, item NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running,
  SUM(n_users) OVER () AS total
FROM popularity
