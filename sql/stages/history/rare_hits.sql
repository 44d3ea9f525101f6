-- rare_hits: the hits with how many users know each item, and how many users there are.
SELECT hits.list_id, hits.rank, hits.rating, popularity.n_users, population.n_all
FROM hits
LEFT JOIN popularity ON hits.fold_id = popularity.fold_id AND hits.item = popularity.item
LEFT JOIN population ON hits.fold_id = population.fold_id
