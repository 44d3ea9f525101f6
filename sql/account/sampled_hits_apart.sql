-- sampled_hits_apart: pairs of sampled hits of the same item, one in a lower half and one in an upper half
SELECT COALESCE(SUM(n_low * n_high), 0) AS sampled_hits_apart
FROM sampled_item_counts
