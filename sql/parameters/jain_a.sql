-- jain_a: how fast the propensity rises with the number of users of an item.
--
-- range: [0, inf)
SELECT 0.55 AS jain_a
