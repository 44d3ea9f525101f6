-- recommended_truth_lists: the lists of the recommendations, identified by the list columns of the truth.
SELECT DISTINCT truth_id
FROM recommended_lists
