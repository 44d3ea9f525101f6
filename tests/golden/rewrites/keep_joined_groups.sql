-- keep_joined_groups
WITH sums AS (SELECT a, SUM(b) AS b FROM t GROUP BY a) SELECT b FROM t JOIN sums USING (a);

-- postgres
WITH sums AS MATERIALIZED (
  SELECT a, SUM(b) AS b
  FROM t
  GROUP BY a
)
SELECT b
FROM t
JOIN sums USING (a);
