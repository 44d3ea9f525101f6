-- longest: largest number of recommendations that a list has among the first k.
--
-- range: [0, inf)
SELECT MAX(length) AS longest
FROM list_lengths
