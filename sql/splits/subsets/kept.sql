-- kept: the number of rows after the filters.
SELECT COUNT(*) AS n_rows
FROM kept_rows
