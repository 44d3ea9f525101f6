-- maximum: highest value
SELECT MAX(value) AS maximum
FROM per_list
