-- hit_user_counts: one row per hit, with the number of users who have the item in their history, and the number of all users.
SELECT hits.list_id, hits.rank, hits.rating, popularity.n_users, user_counts.n_all_users
FROM hits
LEFT JOIN popularity ON hits.fold_id = popularity.fold_id AND hits.item = popularity.item
LEFT JOIN user_counts ON hits.fold_id = user_counts.fold_id
