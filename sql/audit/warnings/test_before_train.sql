-- test_before_train: rows of the test set that are earlier than the last row of the train set: a model may know what came after them
--
-- needs: time
WITH last_times AS (
  SELECT fold_id, MAX(time) AS last_train_time
  FROM train
  GROUP BY fold_id
)
SELECT test.test_id, test.item, test.time, last_times.last_train_time
FROM test
INNER JOIN last_times ON test.fold_id = last_times.fold_id
WHERE test.time < last_times.last_train_time
