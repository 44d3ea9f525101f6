-- n_irrelevant: number of judged items that are not relevant.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_irrelevant
FROM irrelevant
