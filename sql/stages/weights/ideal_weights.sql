-- ideal_weights: one row per truth list and relevant item, ranked by weight, the highest first.
SELECT truth_id, weight, ROW_NUMBER() OVER (PARTITION BY truth_id ORDER BY weight DESC) AS rank
FROM relevant_weights
