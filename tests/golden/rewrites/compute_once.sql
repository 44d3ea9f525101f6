-- compute_once
WITH counts AS (SELECT user, COUNT(*) AS n FROM recs GROUP BY user) SELECT low.user FROM counts AS low JOIN counts AS high ON low.n < high.n;

-- spark
WITH counts AS (
  SELECT `user`, `n`, RAND() AS `once`
  FROM (
    SELECT user, COUNT(*) AS n
    FROM recs
    GROUP BY user
  ) AS `counts`
)
SELECT low.user
FROM counts AS low
JOIN counts AS high ON low.n < high.n;
