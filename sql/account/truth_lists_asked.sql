-- truth_lists_asked: lists of the recommendations, as the truth would know them
SELECT COUNT(*) AS truth_lists_asked
FROM recommended_truth_lists
