-- distinct_judgments: one row per truth list and item. A repeated item keeps its highest rating.
SELECT truth_id, item, MAX(rating) AS rating
FROM judgments
GROUP BY truth_id, item
