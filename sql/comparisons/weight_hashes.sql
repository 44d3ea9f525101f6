-- weight_hashes: one row per list (or cluster of lists) and block of 8 replicates, with a hash.
--
-- The hash is MD5 of the text `seed:bootstrap:block:list columns`, in hexadecimal digits. It is the same on every engine.
SELECT
  clusters.cluster_id,
  blocks.block,
  MD5(CONCAT_WS(':', $seed, 'bootstrap', CAST(blocks.block AS TEXT), CAST(clusters.cluster_id AS TEXT))) AS hash
FROM clusters
CROSS JOIN GENERATE_SERIES(1, $weight_blocks) AS blocks(block)
