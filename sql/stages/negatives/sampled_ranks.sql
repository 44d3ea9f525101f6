-- sampled_ranks: the hits, each with its rank among the negatives of its list and itself.
--
-- Other relevant items do not count, so that each hit stands for a list with one relevant item.
SELECT hits.list_id, hits.item, running_negative_counts.n_negatives + 1 AS sampled_rank
FROM hits
JOIN running_negative_counts ON hits.list_id = running_negative_counts.list_id AND hits.rank = running_negative_counts.rank
