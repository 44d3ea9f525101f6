-- shared_categories: the categories that are in both a list and the history, with their shares of each.
SELECT list_profile.list_id, history_profile.share AS was, list_profile.share AS became
FROM list_profile
JOIN history_profile
  ON list_profile.history_id = history_profile.history_id
  AND list_profile.fold_id = history_profile.fold_id
  AND list_profile.category = history_profile.category
