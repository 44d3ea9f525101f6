-- replace_values
SELECT k FROM (VALUES (1), (2)) AS cutoffs(k);

-- mysql
SELECT k
FROM (
  SELECT 1 AS `k` UNION ALL SELECT 2 AS `k`
) AS cutoffs;

-- redshift, sqlite
SELECT k
FROM (
  SELECT 1 AS "k" UNION ALL SELECT 2 AS "k"
) AS cutoffs;
