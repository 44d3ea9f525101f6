-- items_without_category: distinct recommended items without a category; left out of metrics of categories
--
-- needs: category
-- shown: if any
SELECT COUNT(*) AS items_without_category
FROM items_without_category
