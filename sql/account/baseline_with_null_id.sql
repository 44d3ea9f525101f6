-- baseline_with_null_id: rows of the baseline with a NULL id; left out
--
-- needs: baseline
-- shown: if any
SELECT COUNT(*) AS baseline_with_null_id
FROM baseline_with_null_id
