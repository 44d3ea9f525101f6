-- lists_with_repeats: one row per list of the recommendations that repeats an item, with the number of repeating rows.
--
-- All ranks and all items count, relevant or not.
SELECT list_id, COUNT(item) - COUNT(DISTINCT item) AS n_repeated
FROM recs
WHERE list_id IS NOT NULL
GROUP BY list_id
HAVING COUNT(item) > COUNT(DISTINCT item)
