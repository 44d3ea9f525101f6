-- n_relevant: number of relevant items of the list, recommended or not.
--
-- An item that is repeated in the truth counts once.
-- formula: |R|
-- subject: counts
-- better: neither
-- range: [0, inf)
SELECT COALESCE(MAX(n_relevant), 0) AS n_relevant
FROM relevant_counts
