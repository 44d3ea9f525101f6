-- impression_levels: for each number of impressions that an item has, the impressions of all such items.
--
-- n_impressions: the number of impressions of one such item. n_level_impressions: that of all such items together.
-- weight: the sum of their weights in item_impressions.
SELECT by_id, n_impressions, SUM(n_impressions) AS n_level_impressions, SUM(weight) AS weight
FROM item_impressions
GROUP BY by_id, n_impressions
