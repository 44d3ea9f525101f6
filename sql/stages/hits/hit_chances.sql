-- hit_chances: one row per rank that may hold a hit, over all orders of equal scores.
--
-- chance: the share of the orders in which the rank holds a hit: hits with the score / items with the score. Of a repeated item,
-- only the first row is a hit.
-- hit_number: the mean hit number of the hit at this rank, over these orders: the hits above the score, the hit itself, and the mean
-- number of hits between the first rank of the score and this rank.
-- place: 0 for the first rank of the score, 1 for the second, and so on.
-- n_rows: the rows of hits with the score. n_misses: the other rows with the score. n_hits_above: the hits with a higher score.
-- position: equal to rank. A cutoff limits position and leaves rank alone. So a hit below the cutoff still counts if an
-- item above the cutoff has the same score.
SELECT
  running_tied_hit_counts.list_id, tied_ranks.rank, tied_ranks.rank AS position,
  tied_ranks.rank - running_tied_hit_counts.first_rank AS place,
  COALESCE(repeated_hit_chances.n_rows, running_tied_hit_counts.n_hits) AS n_rows,
  running_tied_hit_counts.last_rank - running_tied_hit_counts.first_rank + 1
    - COALESCE(repeated_hit_chances.n_rows, running_tied_hit_counts.n_hits) AS n_misses,
  running_tied_hit_counts.n_hits_so_far - running_tied_hit_counts.n_hits AS n_hits_above,
  COALESCE(
    repeated_hit_chances.chance,
    CAST(running_tied_hit_counts.n_hits AS DOUBLE) / (running_tied_hit_counts.last_rank - running_tied_hit_counts.first_rank + 1)
  ) AS chance,
  running_tied_hit_counts.n_hits_so_far - running_tied_hit_counts.n_hits + 1 + COALESCE(
    repeated_hit_chances.n_hits_between,
    CAST((tied_ranks.rank - running_tied_hit_counts.first_rank) * (running_tied_hit_counts.n_hits - 1) AS DOUBLE)
    / GREATEST(running_tied_hit_counts.last_rank - running_tied_hit_counts.first_rank, 1)
  ) AS hit_number
FROM running_tied_hit_counts
JOIN tied_ranks ON running_tied_hit_counts.list_id = tied_ranks.list_id AND running_tied_hit_counts.first_rank = tied_ranks.first_rank
LEFT JOIN repeated_hit_chances ON tied_ranks.list_id = repeated_hit_chances.list_id AND tied_ranks.rank = repeated_hit_chances.rank
