-- recommended_user_counts: one row per recommendation, with the number of users who have the item in their history, and the number of all users.
SELECT recommended_popularity.list_id, recommended_popularity.rank, recommended_popularity.n_users, user_counts.n_all_users
FROM recommended_popularity
LEFT JOIN user_counts ON recommended_popularity.fold_id = user_counts.fold_id
