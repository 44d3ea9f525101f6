-- n_list_rows: number of rows of the list among the recommendations.
--
-- undefined: the list has no rows.
-- range: [1, inf)
SELECT MAX(n_rows) AS n_list_rows
FROM recommended_list_counts
