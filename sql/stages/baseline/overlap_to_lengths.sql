-- overlap_to_lengths: one row per list, item that its baseline has too, and rank from the item's own rank to the largest cutoff.
--
-- last_rank: the last rank of the shorter of the two lists, or of the longer one, if the item is below the end of the shorter.
SELECT
  overlap.list_id, positions.rank,
  CASE
    WHEN overlap.rank <= LEAST(recommended_depths.last_rank, baseline_depths.last_rank)
    THEN LEAST(recommended_depths.last_rank, baseline_depths.last_rank)
    ELSE GREATEST(recommended_depths.last_rank, baseline_depths.last_rank)
  END AS last_rank
FROM overlap
JOIN recommended_depths ON overlap.list_id = recommended_depths.list_id
JOIN baseline_depths ON overlap.baseline_id = baseline_depths.baseline_id
JOIN positions ON overlap.rank <= positions.rank
