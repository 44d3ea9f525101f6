-- fold_list_counts: one row per system and fold, with its number of scored lists.
SELECT by_id, fold_id, COUNT(*) AS n_lists
FROM lists
GROUP BY by_id, fold_id
