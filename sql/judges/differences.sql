-- differences: one row per metric and truth list of a system, with the system's values minus the baseline's: NULL if either is undefined.
SELECT
  compared.by_id,
  compared.unit_id,
  compared.metric,
  compared.position,
  compared.human_value - baseline.human_value AS human_value,
  compared.judge_value - baseline.judge_value AS judge_value,
  compared.unlabelled_value - baseline.unlabelled_value AS unlabelled_value
FROM truth_list_values AS compared
INNER JOIN truth_list_values AS baseline
  ON compared.truth_id = baseline.truth_id AND compared.metric = baseline.metric
WHERE $is_pair
