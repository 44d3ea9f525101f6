-- stable: whether rows keep their hashes when other rows are added, as in data that grows.
SELECT
  n_rows AS no, -- no: the hashes follow from the number of rows, too, so that a train set can be split again
  0 AS yes -- yes: to split a train set again, use another seed
