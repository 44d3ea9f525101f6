-- population: how many lists' owners the history knows, in each fold.
SELECT fold_id, COUNT(*) AS n_all
FROM history_lists
GROUP BY fold_id
