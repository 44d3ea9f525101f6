-- relevant_popularity_groups: the relevant items, with a flag for the long tail; an item without a popularity is left out.
SELECT relevant.truth_id, relevant.item, popularity_groups.is_tail
FROM relevant
JOIN popularity_groups ON relevant.fold_id = popularity_groups.fold_id AND relevant.item = popularity_groups.item
