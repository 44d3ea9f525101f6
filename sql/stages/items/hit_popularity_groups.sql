-- hit_popularity_groups: one row per hit whose item has a popularity, with a flag for the long tail.
SELECT hits.list_id, hits.rank, popularity_groups.is_tail
FROM hits
JOIN popularity_groups ON hits.fold_id = popularity_groups.fold_id AND hits.item = popularity_groups.item
