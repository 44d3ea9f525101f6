-- list_lengths: the number of impressions among the first k ranks of each list.
SELECT list_id, COUNT(*) AS length
FROM impressions
WHERE rank <= $k
GROUP BY list_id
