-- items_test_fraction: the share of the items of each test user that is held out.
--
-- range: (0, 1)
SELECT 0.3 AS items_test_fraction
