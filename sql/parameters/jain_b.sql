-- jain_b: the number that is added to the users of each item, so that an item without users has a propensity above 0.
--
-- range: (0, inf)
SELECT 1.5 AS jain_b
