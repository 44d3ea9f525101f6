-- truth_lists: one row per truth list.
SELECT DISTINCT truth_id
FROM judgments
