-- highest: highest value
SELECT MAX(value) AS highest
FROM per_list
