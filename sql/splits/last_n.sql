-- last_n: holds out the last interactions of each user.
--
-- A user who would keep fewer than min_history rows is not tested. Rows of a user at the same time are ordered by their
-- hash. Rows that are equal in user, item and time stay together. Across users, train may hold later rows than test.
-- source: RecTools LastNSplitter, RePlay LastNSplitter, LensKit LastN
WITH numbered_rows AS (
  SELECT
    *,
    RANK() OVER (PARTITION BY user_id ORDER BY time DESC NULLS LAST, row_hash NULLS FIRST) AS row_number_from_end
  FROM hashed
),
history_sizes AS (
  SELECT *, SUM(CASE WHEN row_number_from_end > $n THEN 1 ELSE 0 END) OVER (PARTITION BY user_id) AS n_history
  FROM numbered_rows
)
SELECT
  *,
  CASE WHEN row_number_from_end <= $n AND n_history >= $min_history THEN 'test' ELSE 'train' END AS subset
FROM history_sizes
