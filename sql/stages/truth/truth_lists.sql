-- truth_lists: the lists of the truth.
SELECT DISTINCT truth_id
FROM judgments
