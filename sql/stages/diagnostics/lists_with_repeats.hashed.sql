-- lists_with_repeats: one row per list of the recommendations that repeats an item, with the number of repeating rows.
--
-- All ranks and all items count, relevant or not. Only rows with the hash of another row can repeat it: DuckDB sorts hashes in less time than
-- it counts items.
-- when: engine duckdb
SELECT recs.list_id, COUNT(recs.item) - COUNT(DISTINCT recs.item) AS n_repeated
FROM recs
WHERE recs.list_id IS NOT NULL AND HASH(recs.list_id, recs.item) IN (SELECT repeated_hashes.row_hash FROM repeated_hashes)
GROUP BY recs.list_id
HAVING COUNT(recs.item) > COUNT(DISTINCT recs.item)
