-- head: share of all interactions that the head has: the most popular items. All other items are the long tail.
--
-- range: (0, 1)
SELECT 0.8 AS head
