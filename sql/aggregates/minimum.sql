-- minimum: lowest value
SELECT MIN(value) AS minimum
FROM per_list
