-- truth_lists: the lists that have a truth.
SELECT DISTINCT truth_id
FROM judgments
