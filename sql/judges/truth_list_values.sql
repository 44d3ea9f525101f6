-- truth_list_values: one row per metric and truth list of a row of `by`, with the means over its lists: NULL where undefined.
--
-- Several recommended lists may have the same truth list, such as the lists of several seeds. People label the truth list once, so
-- these lists are not independent, and count as one.
-- human_value: by people's labels; NULL for a list without them.
-- judge_value: by the judge's labels, for the same lists.
-- unlabelled_value: by the judge's labels, for all other lists.
SELECT
  by_id,
  unit_id,
  metric,
  position,
  AVG(CASE WHEN is_labelled = 1 AND judge_value IS NOT NULL THEN human_value END) AS human_value,
  AVG(CASE WHEN is_labelled = 1 AND human_value IS NOT NULL THEN judge_value END) AS judge_value,
  AVG(CASE WHEN is_labelled IS NULL THEN judge_value END) AS unlabelled_value
FROM list_values
GROUP BY by_id, unit_id, metric, position
