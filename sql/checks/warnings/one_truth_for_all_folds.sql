-- one_truth_for_all_folds: The truth has no column of the folds.
--
-- severity: warning
-- found: by a test
-- order: 101
-- say: The truth has no column {fold}: the same truth serves every {name}.
SELECT 0 AS n
FROM account
