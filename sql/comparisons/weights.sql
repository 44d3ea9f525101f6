-- weights: one row per replicate of the bootstrap and list (or cluster of lists) in it, with the number of times that it is drawn.
--
-- Four digits of the hash, as a share of all numbers of four digits, become a number with a Poisson distribution of mean 1.
-- The bounds are its cumulative probabilities, in 65536ths. Lists that are not in a replicate have no row.
-- source: Chamandy, Muralidharan, Najmi, Naidu (2012), Estimating uncertainty for massive data streams. Google
WITH hash_parts AS (
  SELECT
    weight_hashes.cluster_id,
    (weight_hashes.block - 1) * 8 + positions.position AS replicate,
    SUBSTRING(weight_hashes.hash, positions.position * 4 - 3, 4) AS part
  FROM weight_hashes
  CROSS JOIN GENERATE_SERIES(1, 8) AS positions(position)
)
SELECT
  cluster_id,
  replicate,
  CASE
    WHEN part < 'bc5b' THEN CAST(1 AS DOUBLE)
    WHEN part < 'eb71' THEN CAST(2 AS DOUBLE)
    WHEN part < 'fb24' THEN CAST(3 AS DOUBLE)
    WHEN part < 'ff10' THEN CAST(4 AS DOUBLE)
    WHEN part < 'ffd9' THEN CAST(5 AS DOUBLE)
    WHEN part < 'fffb' THEN CAST(6 AS DOUBLE)
    ELSE CAST(7 AS DOUBLE)
  END AS weight
FROM hash_parts
WHERE part >= '5e2d'
