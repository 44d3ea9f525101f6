-- n_recommended_items: number of distinct items among the first k recommendations of all lists.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_recommended_items
FROM impressions
WHERE rank <= $k
