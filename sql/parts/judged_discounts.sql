-- judged_discounts: sum of the discounts of the recommended items that are judged, relevant or not; each item counts once.
--
-- range: [0, inf)
SELECT COALESCE(SUM(CASE WHEN $judged THEN $discount ELSE CAST(0 AS DOUBLE) END), 0) AS judged_discounts
FROM judged_recommended_items
WHERE rank <= $k
