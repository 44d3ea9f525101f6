-- impression_level_totals: one row per system and impression level, with the number of all impressions.
--
-- The window adds up impression levels, which are few, and not items.
SELECT by_id, n_impressions, n_level_impressions, weight, SUM(n_level_impressions) OVER (PARTITION BY by_id) AS n_all_impressions
FROM impression_levels
