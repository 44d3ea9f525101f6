-- ideal_dcgs: one row per relevant item in the ideal order of a truth list, with the dcg of the ideal list down to its rank.
--
-- is_level_end: 1 if the next item has another gain, or if there is none.
SELECT
  truth_id, rank,
  SUM($gain * $discount) OVER (
    PARTITION BY truth_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS ideal_dcg_so_far,
  CASE WHEN LEAD($gain) OVER (PARTITION BY truth_id ORDER BY rank NULLS FIRST) = $gain THEN 0 ELSE 1 END AS is_level_end
FROM ideal_order
