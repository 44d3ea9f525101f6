-- n_irrelevant: items that were judged and are not relevant.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_irrelevant
FROM irrelevant
