-- relevant_popularity_groups: the rows of the truth that are relevant and whose item has a popularity, with a flag for the long tail.
SELECT relevant.truth_id, relevant.item, popularity_groups.is_tail
FROM relevant
JOIN popularity_groups ON relevant.fold_id = popularity_groups.fold_id AND relevant.item = popularity_groups.item
