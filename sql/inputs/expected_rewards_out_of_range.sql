-- expected_rewards_out_of_range: a row if a twentieth of the expected rewards is far outside of the rewards of the log.
SELECT n, n_beyond, low, high, highest
FROM (
  SELECT
    COUNT(*) AS n,
    COUNT(CASE WHEN value < low - 0.1 * (high - low) OR value > high + 0.1 * (high - low) THEN 1 END) AS n_beyond,
    MAX(value) AS highest,
    MIN(n_logged) AS n_logged,
    MIN(low) AS low,
    MAX(high) AS high
  FROM (SELECT CAST(expected_reward AS DOUBLE) AS value FROM recs) AS expected
  CROSS JOIN (
    SELECT COUNT(*) AS n_logged, MIN(CAST(reward AS DOUBLE)) AS low, MAX(CAST(reward AS DOUBLE)) AS high FROM log
  ) AS logged
) AS reward_counts
WHERE n_logged >= 10 AND high > low AND n_beyond >= 10 AND 20 * n_beyond >= n
