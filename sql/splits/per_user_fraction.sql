-- per_user_fraction: holds out a share of the interactions of each user.
--
-- The number of test rows of a user is test_fraction of the user's rows, rounded to the nearest number. A user who would
-- keep fewer than min_history rows is not tested. Rows that are equal in user and item (and, for the last ones, in time)
-- stay together.
-- source: RePlay RatioSplitter, LensKit SampleFrac and LastFrac, Elliot (temporal and random hold-out)
WITH numbered_rows AS (
  SELECT
    *,
    RANK() OVER (PARTITION BY user_id ORDER BY $pick DESC NULLS LAST, row_hash NULLS FIRST) AS row_number_from_end,
    COUNT(*) OVER (PARTITION BY user_id) AS n_of_user
  FROM hashed
),
test_sizes AS (
  SELECT *, FLOOR(n_of_user * $test_fraction + 0.5) AS n_test
  FROM numbered_rows
),
history_sizes AS (
  SELECT *, SUM(CASE WHEN row_number_from_end > n_test THEN 1 ELSE 0 END) OVER (PARTITION BY user_id) AS n_history
  FROM test_sizes
)
SELECT
  *,
  CASE WHEN row_number_from_end <= n_test AND n_history >= $min_history THEN 'test' ELSE 'train' END AS subset
FROM history_sizes
