-- history_popularity_groups: one row per list of the history and item, with a flag for the long tail.
SELECT history_items.history_id, popularity_groups.fold_id, popularity_groups.is_tail
FROM history_items
JOIN popularity_groups ON history_items.fold_id = popularity_groups.fold_id AND history_items.item = popularity_groups.item
