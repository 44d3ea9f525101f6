-- longest: most places that a list fills among the first k.
--
-- range: [0, inf)
SELECT MAX(length) AS longest
FROM list_lengths
