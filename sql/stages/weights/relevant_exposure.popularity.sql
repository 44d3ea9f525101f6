-- relevant_exposure: one row per truth list and relevant item, with its popularity, and the highest and the lowest popularity of an item.
--
-- when: propensity = popularity
SELECT
  relevant_items.truth_id, relevant_items.item, relevant_items.rating, NULL AS propensity,
  popularity.n_users, interaction_totals.most_users, interaction_totals.fewest_users, NULL AS n_all_users
FROM relevant_items
LEFT JOIN popularity ON relevant_items.fold_id = popularity.fold_id AND relevant_items.item = popularity.item
LEFT JOIN interaction_totals ON relevant_items.fold_id = interaction_totals.fold_id
