-- recommended_popularity: one row per recommendation, with the popularity of the item: NULL if no user has the item.
--
-- n_users: the number of users who have the item.
SELECT recommended.list_id, recommended.rank, popularity.n_users
FROM recommended
LEFT JOIN popularity ON recommended.fold_id = popularity.fold_id AND recommended.item = popularity.item
