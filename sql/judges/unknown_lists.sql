-- unknown_lists: the first lists that people labelled and the judge did not.
SELECT truth_id
FROM label_lists
WHERE in_truth IS NULL
ORDER BY truth_id
LIMIT 3
