-- sampled_lists: the first 500 lists of the truth.
--
-- So few tell whether the recommendations are plausible, and can be looked at as a whole.
SELECT truth_id
FROM truth_lists
ORDER BY truth_id
LIMIT 500
