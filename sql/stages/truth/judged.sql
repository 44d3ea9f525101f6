-- judged: the truth, one row per list and item; where an item is repeated, its highest rating stands.
SELECT truth_id, item, MAX(rating) AS rating
FROM judgments
GROUP BY truth_id, item
