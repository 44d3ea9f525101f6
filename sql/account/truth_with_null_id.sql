-- truth_with_null_id: rows of the truth with a NULL id; left out
--
-- shown: if any
SELECT COUNT(*) AS truth_with_null_id
FROM truth_with_null_id
