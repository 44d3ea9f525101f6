-- relevant_exposure: one row per truth list and relevant item, with the number of users who have the item in their history, and of all users.
--
-- when: propensity = jain
SELECT
  relevant_items.truth_id, relevant_items.item, relevant_items.rating, NULL AS propensity,
  popularity.n_users, NULL AS most_users, NULL AS fewest_users, user_counts.n_all_users
FROM relevant_items
LEFT JOIN popularity ON relevant_items.fold_id = popularity.fold_id AND relevant_items.item = popularity.item
LEFT JOIN user_counts ON relevant_items.fold_id = user_counts.fold_id
