-- list_values: one row per metric and list, with the value by the judge's labels and, if people labelled the list, by theirs.
SELECT
  judge_lists.by_id,
  judge_lists.unit_id,
  metrics.metric,
  metrics.position,
  CAST($judge_value AS DOUBLE) AS judge_value,
  CAST($human_value AS DOUBLE) AS human_value,
  labelled_lists.is_labelled
FROM judge_lists
LEFT JOIN labelled_lists ON judge_lists.truth_id = labelled_lists.truth_id
LEFT JOIN human_lists ON judge_lists.list_id = human_lists.list_id
CROSS JOIN metrics
