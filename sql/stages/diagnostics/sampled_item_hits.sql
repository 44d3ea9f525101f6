-- sampled_item_hits: one row per row of the summary and item with sampled hits, with how many are in lower and in upper halves.
SELECT by_id, item, SUM(is_low) AS n_low, SUM(is_high) AS n_high
FROM sampled_hits
GROUP BY by_id, item
