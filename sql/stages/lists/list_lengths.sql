-- list_lengths: how many of the first k places of each list are filled.
SELECT list_id, COUNT(*) AS length
FROM shown
WHERE rank <= $k
GROUP BY list_id
