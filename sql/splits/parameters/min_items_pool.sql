-- min_items_pool: the smallest number of items outside the history of a test user, from which to recommend.
--
-- range: integer [0, inf)
SELECT 2 AS min_items_pool
