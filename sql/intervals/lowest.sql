-- lowest: lowest value
SELECT MIN(value) AS lowest
FROM per_list
