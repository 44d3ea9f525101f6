-- weighted_ideal: one row per truth list and relevant item, ranked by gain times weight, the highest first.
SELECT
  truth_id, rating, weight,
  ROW_NUMBER() OVER (PARTITION BY truth_id ORDER BY $gain * weight DESC) AS rank
FROM relevant_weights
