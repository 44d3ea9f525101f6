-- time: holds out the latest share of the interactions.
--
-- The cut is the earliest time such that at most test_fraction of the rows are at or after it: rows of one time stay
-- together. Every train row is earlier than every test row. With a gap, rows shortly before the cut are in neither
-- subset.
-- source: RePlay TimeSplitter, LensKit split_temporal_fraction
WITH times AS (
  SELECT time AS moment, COUNT(*) AS n
  FROM kept_rows
  GROUP BY time
),
running_counts AS (
  SELECT moment, SUM(n) OVER (ORDER BY moment DESC NULLS LAST) AS n_since, SUM(n) OVER () AS n_rows
  FROM times
),
cut AS (
  SELECT MIN(moment) AS test_from
  FROM running_counts
  WHERE n_since <= n_rows * $test_fraction
)
SELECT
  kept_rows.*,
  CASE WHEN time >= cut.test_from THEN 'test' WHEN time < $train_until THEN 'train' END AS subset
FROM kept_rows
CROSS JOIN cut
