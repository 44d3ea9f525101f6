-- ranks_among_negatives: one row per hit, with its rank among the negatives of its list.
--
-- Other relevant items do not count: the rank is the same as in a list with a single relevant item.
SELECT hits.list_id, hits.item, running_negative_counts.n_negatives + 1 AS rank_among_negatives
FROM hits
JOIN running_negative_counts ON hits.list_id = running_negative_counts.list_id AND hits.rank = running_negative_counts.rank
