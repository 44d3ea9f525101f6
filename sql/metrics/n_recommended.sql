-- n_recommended: recommendations among the first k places.
--
-- An item recommended twice takes two places and counts twice. A missing list has none.
-- better: neither
-- range: [0, inf)
SELECT COUNT(*) AS n_recommended
FROM recommended
WHERE rank <= $k
