-- compared: the items whose similarity to another is given, as the table has them first.
SELECT DISTINCT item
FROM similarities
