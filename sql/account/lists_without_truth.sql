-- lists_without_truth: lists of the recommendations that have no truth; left out of what is measured by the truth
--
-- shown: if any
SELECT COUNT(*) AS lists_without_truth
FROM lists_without_truth
