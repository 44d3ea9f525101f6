-- difference_sums: one row per metric and pair of systems, with the number of lists, and the sums of their differences and squares.
SELECT pair_id, COUNT(difference) AS n_lists, SUM(difference) AS total, SUM(difference * difference) AS squares
FROM differences
GROUP BY pair_id
