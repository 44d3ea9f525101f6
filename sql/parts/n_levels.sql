-- n_levels: number of different gains of the relevant items.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN is_level_end = 1 THEN 1 END) AS n_levels
FROM ideal_dcgs
