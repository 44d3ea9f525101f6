-- population: how many lists' owners the history knows.
SELECT COUNT(*) AS n_all
FROM history_lists
