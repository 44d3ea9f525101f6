-- shortest: smallest number of recommendations that a list has among the first k.
--
-- range: [0, inf)
SELECT MIN(length) AS shortest
FROM list_lengths
