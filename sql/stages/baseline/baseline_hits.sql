-- baseline_hits: one row per list and relevant item that its baseline has, numbered from the top of the baseline.
SELECT
  lists.list_id, baseline_top_items.rank,
  ROW_NUMBER() OVER (PARTITION BY lists.list_id ORDER BY baseline_top_items.rank) AS hit_number
FROM lists
JOIN relevant_items ON lists.truth_id = relevant_items.truth_id
JOIN baseline_top_items ON lists.baseline_id = baseline_top_items.baseline_id AND relevant_items.item = baseline_top_items.item
