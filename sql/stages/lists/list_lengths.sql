-- list_lengths: one row per list, with the number of its impressions among the first k ranks.
SELECT list_id, COUNT(*) AS length
FROM impressions
WHERE rank <= $k
GROUP BY list_id
