-- agreements_in_ties: one row per list and rank, down to the end of the longer list, with what a shared item adds to the agreement.
--
-- shorter, longer: the last ranks of the two lists.
-- equal: 2 / the number of items of both lists whose scores begin at this rank or above. averaged: 1 / rank. corrected: 1 / the root of
-- the product of two sums, over the items of each list, of the squares of their shares.
-- n_unseen: the ranks by which this rank is below the end of the shorter list. unseen: n_unseen times the mean share of the items
-- that only the longer list has.
SELECT
  totals.list_id, totals.rank, totals.n_shared, totals.shared,
  LEAST(recommended_depths.last_rank, baseline_depths.last_rank) AS shorter,
  GREATEST(recommended_depths.last_rank, baseline_depths.last_rank) AS longer,
  CAST(2 AS DOUBLE) / (COALESCE(tied_ranks.last_rank, totals.rank) + COALESCE(baseline_tied_ranks.last_rank, totals.rank)) AS equal,
  CAST(1 AS DOUBLE) / totals.rank AS averaged,
  1 / SQRT(
    COALESCE(
      tied_ranks.first_rank - 1 + POWER(CAST(totals.rank - tied_ranks.first_rank + 1 AS DOUBLE), 2)
        / (tied_ranks.last_rank - tied_ranks.first_rank + 1),
      totals.rank
    ) * COALESCE(
      baseline_tied_ranks.first_rank - 1 + POWER(CAST(totals.rank - baseline_tied_ranks.first_rank + 1 AS DOUBLE), 2)
        / (baseline_tied_ranks.last_rank - baseline_tied_ranks.first_rank + 1),
      totals.rank
    )
  ) AS corrected,
  GREATEST(totals.rank - LEAST(recommended_depths.last_rank, baseline_depths.last_rank), 0) AS n_unseen,
  GREATEST(totals.rank - LEAST(recommended_depths.last_rank, baseline_depths.last_rank), 0) * COALESCE(
    CASE
      WHEN recommended_depths.last_rank > baseline_depths.last_rank
      THEN (totals.rank - totals.list_share) / NULLIF(tied_ranks.last_rank - totals.n_shared, 0)
      ELSE (totals.rank - totals.baseline_share) / NULLIF(baseline_tied_ranks.last_rank - totals.n_shared, 0)
    END,
    0
  ) AS unseen
FROM overlap_share_totals AS totals
JOIN recommended_depths ON totals.list_id = recommended_depths.list_id
JOIN baseline_depths ON totals.baseline_id = baseline_depths.baseline_id
LEFT JOIN tied_ranks ON totals.list_id = tied_ranks.list_id AND totals.rank = tied_ranks.rank
LEFT JOIN baseline_tied_ranks ON totals.baseline_id = baseline_tied_ranks.baseline_id AND totals.rank = baseline_tied_ranks.rank
WHERE totals.rank <= GREATEST(recommended_depths.last_rank, baseline_depths.last_rank)
