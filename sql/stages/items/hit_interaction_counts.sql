-- hit_interaction_counts: one row per hit, with the popularity of the item, the total popularity and the lowest popularity.
--
-- n_users: the popularity of the item. n_interactions: the total popularity of all items.
-- fewest_users: the lowest popularity of an item.
SELECT
  hits.list_id, hits.rank, hits.rating, popularity.n_users, interaction_totals.n_interactions, interaction_totals.fewest_users
FROM hits
LEFT JOIN popularity ON hits.fold_id = popularity.fold_id AND hits.item = popularity.item
LEFT JOIN interaction_totals ON hits.fold_id = interaction_totals.fold_id
