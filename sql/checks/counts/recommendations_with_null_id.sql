-- recommendations_with_null_id: Some recommendations have no item or no value in a list column, and none is expected to be NULL.
--
-- n: the rows.
-- needs: not-null
SELECT recs_with_null_id AS n
FROM account
WHERE recs_with_null_id > 0
