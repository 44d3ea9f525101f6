-- baseline_tied_ranks: one row per recommendation of the baseline, with its rank and the first and the last rank of the items that have the same score.
SELECT
  baseline_id, item, rank,
  MIN(rank) OVER (PARTITION BY baseline_id, given_rank, score) AS first_rank,
  MAX(rank) OVER (PARTITION BY baseline_id, given_rank, score) AS last_rank
FROM ranked_baseline
