-- n_nonempty_lists: number of lists that have recommendations.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_nonempty_lists
FROM list_lengths
