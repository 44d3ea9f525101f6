-- clip: the largest weight of a logged action; without it, no weight is limited.
--
-- range: (0, inf)
SELECT NULL AS clip
