-- popularity_level_ranks: one row per popularity that items have, with its rank: 1 for the highest, 2 for the next.
SELECT fold_id, n_users, ROW_NUMBER() OVER (PARTITION BY fold_id ORDER BY n_users DESC NULLS LAST) AS popularity_rank
FROM popularity_levels
