-- items_without_category: different items recommended that have no category; left out of what goes by categories
--
-- needs: category
-- shown: if any
SELECT COUNT(*) AS items_without_category
FROM items_without_category
