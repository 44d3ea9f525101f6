-- recommended_user_counts: the recommendations, with the number of users who have the item, and the number of all users.
SELECT recommended_popularity.list_id, recommended_popularity.rank, recommended_popularity.n_users, user_counts.n_all_users
FROM recommended_popularity
LEFT JOIN user_counts ON recommended_popularity.fold_id = user_counts.fold_id
