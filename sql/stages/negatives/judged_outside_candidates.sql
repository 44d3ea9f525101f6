-- judged_outside_candidates: one row per truth list and item in it that is not among the candidates of the list.
SELECT truth_lists_with_recommendations.truth_id, distinct_judgments.item
FROM truth_lists_with_recommendations
JOIN distinct_judgments ON truth_lists_with_recommendations.truth_id = distinct_judgments.truth_id
LEFT JOIN candidates ON distinct_judgments.candidates_id = candidates.candidates_id AND distinct_judgments.item = candidates.item
WHERE candidates.item IS NULL
