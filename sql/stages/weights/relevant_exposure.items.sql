-- relevant_exposure: one row per truth list and relevant item, with its propensity from the items input.
--
-- when: propensity = items
SELECT
  relevant_items.truth_id, relevant_items.item, relevant_items.rating, item_propensities.propensity,
  NULL AS n_users, NULL AS most_users, NULL AS fewest_users, NULL AS n_all_users
FROM relevant_items
LEFT JOIN item_propensities ON relevant_items.fold_id = item_propensities.fold_id AND relevant_items.item = item_propensities.item
