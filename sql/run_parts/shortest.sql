-- shortest: fewest places that a list fills among the first k.
--
-- range: [0, inf)
SELECT MIN(length) AS shortest
FROM list_lengths
