-- train_and_test_swapped: lists whose rows of the test set are all earlier than their rows of the train set, as they are in nine of ten lists: the train set and the test set are probably swapped
--
-- needs: time
WITH test_times AS (
  SELECT train_id, MAX(time) AS last_test_time
  FROM test
  GROUP BY train_id
), train_times AS (
  SELECT train_id, MIN(time) AS first_train_time
  FROM train
  GROUP BY train_id
), list_orders AS (
  SELECT
    test_times.train_id,
    test_times.last_test_time,
    train_times.first_train_time,
    CASE WHEN test_times.last_test_time < train_times.first_train_time THEN 1 ELSE 0 END AS is_earlier
  FROM test_times
  INNER JOIN train_times ON test_times.train_id = train_times.train_id
), list_totals AS (
  SELECT SUM(is_earlier) AS n_earlier, COUNT(*) AS n_lists
  FROM list_orders
)
SELECT list_orders.train_id, list_orders.last_test_time, list_orders.first_train_time
FROM list_orders
CROSS JOIN list_totals
WHERE list_orders.is_earlier = 1 AND list_totals.n_earlier * 10 >= list_totals.n_lists * 9
