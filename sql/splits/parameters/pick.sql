-- pick: which rows of a user are held out.
SELECT
  time AS last, -- the latest
  row_hash AS random -- random ones
