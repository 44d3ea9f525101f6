-- n_hits: relevant items found among the first k.
--
-- An item recommended twice counts once.
-- range: [0, inf)
SELECT COUNT(*) AS n_hits
FROM hits
WHERE rank <= $k
