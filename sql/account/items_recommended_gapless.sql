-- items_recommended_gapless: 1 if the ids of the recommended items are whole numbers without a gap
--
-- needs: whole item
-- counted: in doubt
-- combined: maximum
SELECT CASE WHEN CAST(MAX(item) AS DOUBLE) - CAST(MIN(item) AS DOUBLE) + 1 = COUNT(*) THEN 1 ELSE 0 END AS items_recommended_gapless
FROM recommended_items
