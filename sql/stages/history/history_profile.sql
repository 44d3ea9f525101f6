-- history_profile: the categories of what a list's owner knew, as shares that add up to 1.
SELECT history_id, fold_id, category, mass / SUM(mass) OVER (PARTITION BY history_id, fold_id) AS share
FROM history_parts
