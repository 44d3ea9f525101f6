-- summed_exposures: one row per system, truth list and item, with the sum of the attention of its ranks among the first k, over all lists.
--
-- when: attention = cascade
SELECT truth_id, by_id, item, SUM($discount * reached) AS exposure
FROM reached_impressions
WHERE rank <= $k
GROUP BY truth_id, by_id, item
