-- labelled_lists: one row per list that people labelled.
SELECT DISTINCT truth_id, 1 AS is_labelled
FROM labels
