-- tied: for each list, how many recommendations share one score at most.
SELECT list_id, MAX(n_alike) AS n_alike
FROM alike
GROUP BY list_id
