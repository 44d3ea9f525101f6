-- n_recommended_items: different items among the first k places of all lists.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_recommended_items
FROM impressions
WHERE rank <= $k
