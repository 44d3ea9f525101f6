-- insufficient: the value of a list that lacks a relevant item and holds fewer than k irrelevant items.
SELECT
  $positives AS counted, -- the metric: the absent irrelevant items rank below the whole list
  CASE WHEN last_rank - n_list_hits >= $k OR n_list_hits >= n_relevant THEN $positives END AS undefined -- no value: the metric is undefined
FROM metrics
