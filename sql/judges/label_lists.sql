-- label_lists: one row per list that people labelled, with 1 if the judge labelled it, too.
SELECT truth_id, MAX(in_truth) AS in_truth
FROM ratings
GROUP BY truth_id
HAVING MAX(in_labels) = 1
