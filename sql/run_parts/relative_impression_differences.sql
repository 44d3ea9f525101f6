-- relative_impression_differences: sum, over the pairs of recommended items, of (larger - smaller) / larger of their numbers of impressions.
--
-- range: [0, inf)
SELECT SUM(n_items * (n_items_to_level - n_impressions_to_level / CAST(n_impressions AS DOUBLE))) AS relative_impression_differences
FROM impression_level_order
