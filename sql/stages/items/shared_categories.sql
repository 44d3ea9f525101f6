-- shared_categories: one row per list and category that the list and its history share, with both shares.
SELECT list_category_shares.list_id, history_category_shares.share AS history_share, list_category_shares.share AS list_share
FROM list_category_shares
JOIN history_category_shares
  ON list_category_shares.history_id = history_category_shares.history_id
  AND list_category_shares.fold_id = history_category_shares.fold_id
  AND list_category_shares.category = history_category_shares.category
