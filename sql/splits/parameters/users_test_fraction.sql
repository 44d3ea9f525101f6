-- users_test_fraction: the share of the users that is tested; 1 for all that can be.
--
-- range: (0, 1]
SELECT 0.1 AS users_test_fraction
