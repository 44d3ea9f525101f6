-- of: the units that are put into folds.
SELECT
  user_hash AS users, -- users, with all of their rows
  row_hash AS rows -- interactions
