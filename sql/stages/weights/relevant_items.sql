-- relevant_items: one row per truth list and relevant item. A repeated item keeps its highest rating.
SELECT truth_id, item, rating
FROM distinct_judgments
WHERE $relevance
