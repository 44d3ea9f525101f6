-- min_pos_test: the smallest number of held-out items of a test user.
--
-- range: integer [0, inf)
SELECT 1 AS min_pos_test
