-- recommended_pairs: one row per pair of recommendations of a list, with the similarity of the two items.
--
-- rank: the larger of the two ranks, so `rank <= k` means that both recommendations are among the first k.
-- similarity: the mean of both directions, if both are given. It is 0 for a pair that is not given, and 1 for an item
-- and itself.
-- is_unknown: 1 if the similarity of two different items is not given.
SELECT
  upper.list_id, lower.rank,
  COALESCE(
    (forward.similarity + backward.similarity) / 2, forward.similarity, backward.similarity,
    CASE WHEN upper.item = lower.item THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
  ) AS similarity,
  CASE WHEN forward.similarity IS NULL AND backward.similarity IS NULL AND upper.item <> lower.item THEN 1 ELSE 0 END AS is_unknown
FROM recommended AS upper
JOIN recommended AS lower ON upper.list_id = lower.list_id AND upper.rank < lower.rank
LEFT JOIN pair_similarities AS forward ON upper.item = forward.item AND lower.item = forward.other
LEFT JOIN pair_similarities AS backward ON lower.item = backward.item AND upper.item = backward.other
