-- test_in_train: rows of the test set that the train set has, too
SELECT DISTINCT test.test_id, test.item
FROM test
INNER JOIN train ON test.train_id = train.train_id AND test.item = train.item
