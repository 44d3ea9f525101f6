-- compute_once
WITH counts AS (SELECT user, COUNT(*) AS n FROM recs GROUP BY user) SELECT MAX(n) FROM counts UNION ALL SELECT COUNT(*) FROM counts;

-- spark
WITH counts AS (
  SELECT `user`, `n`, RAND() AS `once`
  FROM (
    SELECT user, COUNT(*) AS n
    FROM recs
    GROUP BY user
  ) AS `counts`
)
SELECT MAX(n)
FROM counts
UNION ALL
SELECT COUNT(*)
FROM counts;
