-- head: the share of all interactions that the most popular items have which are not in the long tail.
--
-- range: (0, 1)
SELECT 0.8 AS head
