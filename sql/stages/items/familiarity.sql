-- familiarity: the recommendations with how many users know each item; NULL where nobody does.
SELECT recommended.list_id, recommended.rank, popularity.n_users
FROM recommended
LEFT JOIN popularity ON recommended.fold_id = popularity.fold_id AND recommended.item = popularity.item
