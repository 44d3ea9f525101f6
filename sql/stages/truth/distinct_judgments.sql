-- distinct_judgments: the truth with one row per list and item; a repeated item keeps its highest rating.
SELECT truth_id, item, MAX(rating) AS rating
FROM judgments
GROUP BY truth_id, item
