-- fold_columns_that_are_not_used: A column of folds is not used.
--
-- severity: warning
-- found: by a test
-- order: 102
-- say: Column {fold} of the {input} is not used: {why}
SELECT 0 AS n
FROM account
