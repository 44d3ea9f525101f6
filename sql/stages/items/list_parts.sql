-- list_parts: what part each category has of the first k places of a list; an item is divided among its categories.
SELECT list_id, category, SUM(CAST(1 AS DOUBLE) / n_categories) AS mass
FROM tagged
WHERE rank <= $k
GROUP BY list_id, category
