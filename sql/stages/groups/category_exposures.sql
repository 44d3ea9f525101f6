-- category_exposures: one row per system and recommended category, with the exposure of its mean catalogue item among the first k ranks of all lists.
SELECT by_id, category, SUM($discount * part) AS exposure
FROM impressions_of_categories
WHERE rank <= $k
GROUP BY by_id, category
