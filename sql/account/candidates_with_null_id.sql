-- candidates_with_null_id: rows of the candidates with a NULL id; left out
--
-- needs: candidates
-- shown: if any
SELECT COUNT(*) AS candidates_with_null_id
FROM candidates_with_null_id
