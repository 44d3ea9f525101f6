-- hit_popularity_ranks: one row per hit, with the popularity rank of the item.
--
-- popularity_rank: the size of the catalogue + 1 if no user has the item.
SELECT hits.list_id, hits.rank, COALESCE(popularity_level_ranks.popularity_rank, catalog_sizes.n_items + 1) AS popularity_rank
FROM hits
LEFT JOIN popularity ON hits.fold_id = popularity.fold_id AND hits.item = popularity.item
LEFT JOIN popularity_level_ranks ON popularity.fold_id = popularity_level_ranks.fold_id AND popularity.n_users = popularity_level_ranks.n_users
LEFT JOIN catalog_sizes ON hits.fold_id = catalog_sizes.fold_id
