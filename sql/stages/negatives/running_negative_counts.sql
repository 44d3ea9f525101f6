-- running_negative_counts: one row per rank of a list, with the number of negatives from rank 1 to this rank.
SELECT
  ranked.list_id,
  ranked.rank,
  SUM(CASE WHEN negatives.item IS NULL THEN 0 ELSE 1 END) OVER (
    PARTITION BY ranked.list_id ORDER BY ranked.rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS n_negatives
FROM ranked
LEFT JOIN negatives ON ranked.truth_id = negatives.truth_id AND ranked.item = negatives.item
