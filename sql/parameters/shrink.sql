-- shrink: how little weighting=shrunk makes of large weights: a weight of its square root is halved.
--
-- range: (0, inf)
SELECT 100 AS shrink
