-- numbered_baseline: one row per sorted recommendation of the baseline, with its number among all rows.
--
-- is_first: true for the first row of a list.
-- materialized: never, since rows that are kept may be read in another order.
SELECT
  baseline_id, item, score,
  ROW_NUMBER() OVER () AS row_number,
  ROW(baseline_id) IS DISTINCT FROM LAG(ROW(baseline_id)) OVER () AS is_first
FROM sorted_baseline
