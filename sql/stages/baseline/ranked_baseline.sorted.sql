-- ranked_baseline: one row per recommendation of the baseline, with its rank. Rows with a NULL id are left out.
--
-- given_rank: its rank in the input; NULL if scores order the baseline.
-- when: sorted baseline
SELECT
  baseline_id, item, score,
  row_number - MAX(CASE WHEN is_first THEN row_number END) OVER (ROWS UNBOUNDED PRECEDING) + 1 AS rank,
  CAST(NULL AS BIGINT) AS given_rank
FROM numbered_baseline
