-- sampled_item_counts: one row per item that is recommended in sampled lists of a row of the summary, with the number of its rows.
SELECT by_id, item, COUNT(*) AS n_rows
FROM sampled_recommendations
GROUP BY by_id, item
