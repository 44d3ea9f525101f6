-- sorted_recommendations: one row per recommendation, sorted: list after list, each from its first rank down.
--
-- A sort of all rows takes DuckDB half the work of a window over each list. What does not fit into memory is sorted in parts.
SELECT list_id, item, score
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL AND HASH(list_id) % $n_parts = $part
ORDER BY recs.list_id, $ties
