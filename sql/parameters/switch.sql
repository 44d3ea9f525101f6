-- switch: the largest weight that weighting=switched keeps.
--
-- range: (0, inf)
SELECT 10 AS switch
