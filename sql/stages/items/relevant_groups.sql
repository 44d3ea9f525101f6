-- relevant_groups: the relevant items that are known, and whether each is in the long tail.
SELECT relevant.truth_id, relevant.item, popularity_groups.is_tail
FROM relevant
JOIN popularity_groups ON relevant.fold_id = popularity_groups.fold_id AND relevant.item = popularity_groups.item
