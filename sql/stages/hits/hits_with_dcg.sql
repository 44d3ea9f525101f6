-- hits_with_dcg: one row per hit, with the dcg of the list from rank 1 to it.
SELECT
  list_id, rank,
  SUM($gain * $discount) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS dcg_so_far
FROM hits
