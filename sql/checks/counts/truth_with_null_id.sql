-- truth_with_null_id: Some rows of the truth have no item or no value in a list column, and none is expected to be NULL.
--
-- n: the rows.
-- needs: not-null
SELECT truth_with_null_id AS n
FROM account
WHERE truth_with_null_id > 0
