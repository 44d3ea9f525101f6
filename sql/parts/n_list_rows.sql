-- n_list_rows: rows that the list has among the recommendations.
--
-- undefined: it has none.
-- range: [1, inf)
SELECT MAX(n_rows) AS n_list_rows
FROM recommended_list_counts
