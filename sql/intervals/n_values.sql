-- n_values: number of lists with a value
SELECT COUNT(value) AS n_values
FROM per_list
