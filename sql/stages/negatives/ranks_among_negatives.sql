-- ranks_among_negatives: the hits, each with its rank among the negatives of its list.
--
-- Other relevant items do not count, so that each hit stands for a list with one relevant item.
SELECT hits.list_id, hits.item, running_negative_counts.n_negatives + 1 AS rank_among_negatives
FROM hits
JOIN running_negative_counts ON hits.list_id = running_negative_counts.list_id AND hits.rank = running_negative_counts.rank
