-- recall_levels: one row per list and recall level, with the rank at which the list or its baseline reaches it first.
--
-- Level i is reached at the rank of the i-th hit. preference: 1 if the list reaches the level first, -1 if the baseline
-- does, 0 if both reach it at the same rank or neither does; then the rank is NULL.
SELECT
  lists.list_id, relevant_levels.level,
  LEAST(COALESCE(hits.rank, baseline_hits.rank), COALESCE(baseline_hits.rank, hits.rank)) AS rank,
  CASE
    WHEN hits.rank < COALESCE(baseline_hits.rank, hits.rank + 1) THEN 1
    WHEN baseline_hits.rank < COALESCE(hits.rank, baseline_hits.rank + 1) THEN -1
    ELSE 0
  END AS preference
FROM lists
JOIN relevant_levels ON lists.truth_id = relevant_levels.truth_id
LEFT JOIN hits ON lists.list_id = hits.list_id AND relevant_levels.level = hits.hit_number
LEFT JOIN baseline_hits ON lists.list_id = baseline_hits.list_id AND relevant_levels.level = baseline_hits.hit_number
