-- ranked_without_repeats: one row per list and item, ranked again after repeated items are removed, so that later items move up.
SELECT list_id, item, score, ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY first_rank) AS rank
FROM first_occurrences
