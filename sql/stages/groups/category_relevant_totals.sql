-- category_relevant_totals: one row per system and category with relevant items, with their number over all scored lists.
SELECT lists.by_id, relevant_category_counts.category, SUM(relevant_category_counts.n_relevant) AS n_relevant
FROM lists
JOIN relevant_category_counts ON lists.truth_id = relevant_category_counts.truth_id
GROUP BY lists.by_id, relevant_category_counts.category
