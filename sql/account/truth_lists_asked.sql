-- truth_lists_asked: lists of the recommendations, identified by the list columns of the truth
--
-- counted: in doubt
SELECT COUNT(*) AS truth_lists_asked
FROM recommended_truth_list_flags
