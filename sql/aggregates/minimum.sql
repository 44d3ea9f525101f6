-- minimum: lowest value of a list
SELECT MIN(value) AS minimum
FROM per_list
