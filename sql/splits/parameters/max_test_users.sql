-- max_test_users: the largest number of test users.
--
-- range: integer [1, inf)
SELECT NULL AS max_test_users
