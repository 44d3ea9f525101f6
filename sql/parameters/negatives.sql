-- negatives: what items of negative gain do to the best list there is.
SELECT
  $gain AS counted, -- those among its first places count as they are
  GREATEST($gain, 0) AS left_out -- it does without them
FROM ideal
