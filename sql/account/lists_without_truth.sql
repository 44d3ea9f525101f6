-- lists_without_truth: lists of the recommendations without truth; metrics that need the truth leave them out
--
-- shown: if any
SELECT COUNT(*) AS lists_without_truth
FROM recommended_list_flags
WHERE has_truth = 0
