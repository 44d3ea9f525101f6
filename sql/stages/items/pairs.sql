-- pairs: every pair of recommendations of a list with its similarity, at the rank of the lower of the two.
--
-- Given both ways round, the mean of the two stands; given neither way, 0, and 1 for an item with itself.
SELECT
  upper.list_id, lower.rank,
  COALESCE(
    (there.similarity + back.similarity) / 2, there.similarity, back.similarity,
    CASE WHEN upper.item = lower.item THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
  ) AS similarity,
  CASE WHEN there.similarity IS NULL AND back.similarity IS NULL AND upper.item <> lower.item THEN 1 ELSE 0 END AS is_missing
FROM recommended AS upper
JOIN recommended AS lower ON upper.list_id = lower.list_id AND upper.rank < lower.rank
LEFT JOIN similarities AS there ON upper.item = there.item AND lower.item = there.other
LEFT JOIN similarities AS back ON lower.item = back.item AND upper.item = back.other
