-- ideal_costs: one row per relevant item in the ideal order of a truth list, with the cost of reading the ideal list down to its rank.
--
-- The cost of a rank is the gain of its item, and at least 1.
SELECT
  truth_id, rank,
  SUM(GREATEST($gain, 1)) OVER (
    PARTITION BY truth_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS cost_so_far
FROM ideal_order
