-- seed: the number that the hashes begin with; another seed gives another random split.
--
-- range: integer [0, inf)
SELECT 0 AS seed
