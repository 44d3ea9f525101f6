-- maximum: highest value of a list
SELECT MAX(value) AS maximum
FROM per_list
