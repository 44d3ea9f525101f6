-- users_test_fraction: the share of the users that is tested; 1 for all users that can be tested.
--
-- range: (0, 1]
SELECT 0.1 AS users_test_fraction
