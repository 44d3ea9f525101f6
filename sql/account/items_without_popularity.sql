-- items_without_popularity: distinct recommended items without a popularity above 0 in the items input; counted as popularity 0
--
-- needs: popularity
-- shown: if any
SELECT COUNT(*) AS items_without_popularity
FROM items_without_popularity
