-- lists_without_truth: lists of the recommendations that the truth does not have; left out of metrics that need the truth
--
-- shown: if any
SELECT COUNT(*) AS lists_without_truth
FROM recommended_list_flags
WHERE has_truth = 0
