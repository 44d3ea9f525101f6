-- group_what_is_counted
SELECT a, COUNT(*) AS n, COUNT(DISTINCT x) AS m, COUNT(DISTINCT x) FILTER (c) AS k FROM t GROUP BY a;

-- datafusion, duckdb
SELECT a, SUM("by_item"."n") AS n, COUNT(x) AS m, COUNT(CASE WHEN "by_item"."k" = 1 THEN x END) AS k
FROM (
  SELECT a, x, COUNT(*) AS "n", MAX(CASE WHEN c THEN 1 END) AS "k"
  FROM t
  GROUP BY a, x
) AS "by_item"
GROUP BY a;
