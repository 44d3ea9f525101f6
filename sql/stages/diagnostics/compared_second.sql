-- compared_second: the items whose similarity to another is given, as the table has them second.
SELECT DISTINCT other AS item
FROM similarities
