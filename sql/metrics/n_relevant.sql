-- n_relevant: relevant items of the list, found or not.
--
-- An item that the truth repeats counts once.
-- better: neither
-- range: [0, inf)
SELECT COALESCE(MAX(n_relevant), 0) AS n_relevant
FROM relevant_counts
