-- running_tied_hit_counts: one row per list and score that has hits, with a running count of the hits from the highest score down.
--
-- n_hits_so_far: the hits with this score or a higher one.
SELECT
  list_id, first_rank, last_rank, n_hits,
  SUM(n_hits) OVER (
    PARTITION BY list_id ORDER BY first_rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS n_hits_so_far
FROM tied_hit_counts
