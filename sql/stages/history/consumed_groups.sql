-- consumed_groups: what each list's owner knew before, and whether it is in the long tail.
SELECT consumed.history_id, popularity_groups.fold_id, popularity_groups.is_tail
FROM consumed
JOIN popularity_groups ON consumed.fold_id = popularity_groups.fold_id AND consumed.item = popularity_groups.item
