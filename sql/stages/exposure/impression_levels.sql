-- impression_levels: one row per system and impression level (a number of impressions that items have), with the impressions of these items.
--
-- n_impressions: the impressions of one item of the level. n_level_impressions: the impressions of all its items.
-- weight: the sum of the weights of these items in item_impressions.
SELECT by_id, n_impressions, SUM(n_impressions) AS n_level_impressions, SUM(weight) AS weight
FROM item_impressions
GROUP BY by_id, n_impressions
