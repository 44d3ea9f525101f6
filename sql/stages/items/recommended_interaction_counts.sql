-- recommended_interaction_counts: one row per recommendation, with the popularity of the item and the total popularity of all items.
--
-- n_users: the popularity of the item; NULL if it has none. n_interactions: the total popularity of all items.
SELECT recommended_popularity.list_id, recommended_popularity.rank, recommended_popularity.n_users, interaction_totals.n_interactions
FROM recommended_popularity
LEFT JOIN interaction_totals ON recommended_popularity.fold_id = interaction_totals.fold_id
