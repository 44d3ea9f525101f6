-- repeats: the lists of the recommendations that repeat an item, with how many of their rows do so.
--
-- At whatever rank, and whether or not the item is relevant.
SELECT list_id, COUNT(item) - COUNT(DISTINCT item) AS n_repeated
FROM recs
WHERE list_id IS NOT NULL
GROUP BY list_id
HAVING COUNT(item) > COUNT(DISTINCT item)
