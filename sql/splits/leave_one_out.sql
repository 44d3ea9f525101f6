-- leave_one_out: holds out one interaction of each user.
--
-- A user who would keep fewer than min_history rows is not tested. Rows that are equal in user and item (and, for the
-- last one, in time) stay together.
-- source: He et al. (2017), Neural collaborative filtering, doi:10.1145/3038912.3052569
WITH numbered_rows AS (
  SELECT
    *,
    RANK() OVER (PARTITION BY user_id ORDER BY $pick DESC NULLS LAST, row_hash NULLS FIRST) AS row_number_from_end
  FROM hashed
),
history_sizes AS (
  SELECT *, SUM(CASE WHEN row_number_from_end > 1 THEN 1 ELSE 0 END) OVER (PARTITION BY user_id) AS n_history
  FROM numbered_rows
)
SELECT
  *,
  CASE WHEN row_number_from_end = 1 AND n_history >= $min_history THEN 'test' ELSE 'train' END AS subset
FROM history_sizes
