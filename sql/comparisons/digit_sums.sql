-- digit_sums: one row per metric, pair of systems, hash position and digit, with the sum of the differences of the lists with this digit.
SELECT
  cluster_values.pair_id,
  sign_hashes.block,
  positions.position,
  SUBSTRING(sign_hashes.hash, positions.position, 1) AS digit,
  SUM(cluster_values.total) AS total,
  SUM(ABS(cluster_values.total)) AS spread
FROM cluster_values
INNER JOIN sign_hashes ON cluster_values.cluster_id = sign_hashes.cluster_id
CROSS JOIN GENERATE_SERIES(1, 30) AS positions(position)
GROUP BY
  cluster_values.pair_id,
  sign_hashes.block,
  positions.position,
  SUBSTRING(sign_hashes.hash, positions.position, 1)
