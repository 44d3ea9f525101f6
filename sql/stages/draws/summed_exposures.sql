-- summed_exposures: one row per system, truth list and item, with the sum of the attention of its ranks among the first k, over all lists.
SELECT truth_id, by_id, item, SUM($discount) AS exposure
FROM impressions
WHERE rank <= $k
GROUP BY truth_id, by_id, item
