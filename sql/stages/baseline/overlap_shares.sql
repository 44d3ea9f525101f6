-- overlap_shares: one row per list, item of both the list and its baseline, and rank: from the first rank by which both may have the item, down to the largest cutoff.
--
-- list_share, baseline_share: the share of the orders of equal scores in which the list, or the baseline, has the item down to this rank.
SELECT
  overlap_in_ties.list_id, positions.rank,
  LEAST(
    CAST(positions.rank - overlap_in_ties.first_rank + 1 AS DOUBLE) / (overlap_in_ties.last_rank - overlap_in_ties.first_rank + 1),
    CAST(1 AS DOUBLE)
  ) AS list_share,
  LEAST(
    CAST(positions.rank - overlap_in_ties.baseline_first_rank + 1 AS DOUBLE)
      / (overlap_in_ties.baseline_last_rank - overlap_in_ties.baseline_first_rank + 1),
    CAST(1 AS DOUBLE)
  ) AS baseline_share
FROM overlap_in_ties
JOIN positions ON GREATEST(overlap_in_ties.first_rank, overlap_in_ties.baseline_first_rank) <= positions.rank
