-- ranked_without_repeats: the recommendations, ranked again after repeated items are removed; later items move up.
SELECT list_id, item, score, ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY first_rank) AS rank
FROM first_occurrences
