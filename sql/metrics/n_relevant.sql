-- n_relevant: relevant items of the list, found or not.
--
-- An item that the truth repeats counts once.
-- better: neither
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_relevant
FROM relevant
