-- hits_with_gain: one row per hit, with its gain, and the sum of the gains of the list down to its rank.
SELECT
  list_id, rank, $gain AS gain,
  SUM($gain) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS gain_so_far
FROM hits
