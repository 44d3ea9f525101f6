-- union_grouping_sets
WITH totals AS (SELECT a, COUNT(*) AS n FROM recs GROUP BY GROUPING SETS ((a), ())) SELECT a, n FROM totals;

-- clickhouse
WITH totals AS (
  SELECT a, CAST(COUNT(*) AS Nullable(Int64)) AS n
  FROM recs
  GROUP BY a
  UNION ALL
  SELECT NULL AS "a", CAST(COUNT(*) AS Nullable(Int64)) AS n
  FROM recs
)
SELECT a, n
FROM totals;

-- mysql
WITH totals AS (
  SELECT a, CAST(COUNT(*) AS SIGNED) AS n
  FROM recs
  GROUP BY a
  UNION ALL
  SELECT NULL AS `a`, CAST(COUNT(*) AS SIGNED) AS n
  FROM recs
)
SELECT a, n
FROM totals;

-- sqlite
WITH totals AS (
  SELECT a, COUNT(*) AS n
  FROM recs
  GROUP BY a
  UNION ALL
  SELECT NULL AS "a", COUNT(*) AS n
  FROM recs
)
SELECT a, n
FROM totals;
