-- relevant_popularity: one row per truth list and relevant item, with the popularity of the item: NULL if no user has the item.
SELECT DISTINCT relevant.truth_id, relevant.item, popularity.n_users
FROM relevant
LEFT JOIN popularity ON relevant.fold_id = popularity.fold_id AND relevant.item = popularity.item
