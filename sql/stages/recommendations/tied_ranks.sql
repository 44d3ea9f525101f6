-- tied_ranks: one row per rank of a list, with the first and the last rank of the items that have the same score.
SELECT
  list_id, rank,
  MIN(rank) OVER (PARTITION BY list_id, score) AS first_rank,
  MAX(rank) OVER (PARTITION BY list_id, score) AS last_rank
FROM ranked
