-- category_known_totals: one row per system, fold and category, with the number of its catalogue items that the histories of the scored lists have, over all these lists.
SELECT lists.by_id, lists.fold_id, known_category_counts.category, SUM(known_category_counts.n_known) AS n_known
FROM lists
JOIN known_category_counts ON lists.history_id = known_category_counts.history_id
GROUP BY lists.by_id, lists.fold_id, known_category_counts.category
