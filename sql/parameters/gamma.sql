-- gamma: how much more often popular items are seen; 1 for propensities in proportion to popularity, -1 for equal propensities.
--
-- range: [-1, inf)
SELECT 1 AS gamma
