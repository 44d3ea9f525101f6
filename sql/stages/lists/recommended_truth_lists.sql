-- recommended_truth_lists: one row per combination of the truth's list columns that has recommendations.
SELECT DISTINCT truth_id
FROM recommended_lists
