-- hits_with_dcg: one row per hit, with the dcg of the list down to the rank of the hit.
SELECT
  list_id, rank,
  SUM($gain * $discount) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS dcg_so_far
FROM hits
