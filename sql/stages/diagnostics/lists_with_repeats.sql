-- lists_with_repeats: the lists of the recommendations that repeat an item, with the number of repeating rows.
--
-- All ranks count, and all items, relevant or not.
SELECT list_id, COUNT(item) - COUNT(DISTINCT item) AS n_repeated
FROM recs
WHERE list_id IS NOT NULL
GROUP BY list_id
HAVING COUNT(item) > COUNT(DISTINCT item)
