-- partial_policies: a row if the probabilities of the policy do not add up to 1 in a twentieth of the positions of lists.
SELECT n, n_off, mean
FROM (
  SELECT COUNT(*) AS n, COUNT(CASE WHEN ABS(total - 1) > 0.1 THEN 1 END) AS n_off, AVG(total) AS mean
  FROM (
    SELECT position_id, SUM(CAST(probability AS DOUBLE)) AS total
    FROM recs
    WHERE list_id IS NOT NULL AND item IS NOT NULL
    GROUP BY position_id
  ) AS positions
) AS position_counts
WHERE n_off >= 10 AND 20 * n_off >= n
