-- items_judged_gapless: 1 if the ids of the items of the truth are whole numbers without a gap
--
-- needs: whole item
-- counted: in doubt
-- combined: maximum
SELECT CASE WHEN CAST(MAX(item) AS DOUBLE) - CAST(MIN(item) AS DOUBLE) + 1 = COUNT(*) THEN 1 ELSE 0 END AS items_judged_gapless
FROM items_in_truth
