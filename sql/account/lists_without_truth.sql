-- lists_without_truth: lists with recommendations but without truth; left out of metrics that need the truth
--
-- shown: if any
SELECT COUNT(*) AS lists_without_truth
FROM recommended_list_flags
WHERE has_truth = 0
