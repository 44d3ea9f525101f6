-- category_exposures: one row per system and recommended category, with the exposure of its mean catalogue item among the first k ranks of all lists, each times the share of the readers who get there.
--
-- when: attention = cascade
SELECT by_id, category, SUM($discount * reached * part) AS exposure
FROM reached_impressions_of_categories
WHERE rank <= $k
GROUP BY by_id, category
