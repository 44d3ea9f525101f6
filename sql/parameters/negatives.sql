-- negatives: how the ideal list treats items of negative gain.
SELECT
  $gain AS counted, -- with their gain, if they are among its first positions
  GREATEST($gain, 0) AS left_out -- they count as 0
FROM ideal
