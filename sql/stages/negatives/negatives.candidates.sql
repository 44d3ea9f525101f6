-- negatives: one row per truth list and negative: a candidate that is not in the truth of the list.
--
-- when: input candidates
SELECT DISTINCT truth_lists_with_recommendations.truth_id, candidates.item
FROM truth_lists_with_recommendations
JOIN candidates ON truth_lists_with_recommendations.candidates_id = candidates.candidates_id
LEFT JOIN distinct_judgments
  ON truth_lists_with_recommendations.truth_id = distinct_judgments.truth_id AND candidates.item = distinct_judgments.item
WHERE candidates.item IS NOT NULL AND distinct_judgments.item IS NULL
