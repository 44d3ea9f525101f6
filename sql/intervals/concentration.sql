-- concentration: sum of the squared shares of the lists: 1 / n of n lists
SELECT 1 / CAST(NULLIF(COUNT(value), 0) AS DOUBLE) AS concentration
FROM per_list
