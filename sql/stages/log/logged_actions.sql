-- logged_actions: one row per action of the log and system, with its importance weight.
--
-- opens: 1 for one action of each impression, 0 for its others.
-- probability: that the policy takes this action in the same list, at the same position; 0 where the policy does not have it.
-- importance: this probability, divided by the propensity: the probability of the action when it was logged.
SELECT
  lists.list_id, logged.impression_id, logged.item, logged.rank, logged.reward,
  CASE WHEN ROW_NUMBER() OVER (PARTITION BY lists.list_id, logged.impression_id ORDER BY logged.item NULLS FIRST) = 1 THEN 1 ELSE 0 END AS opens,
  COALESCE(policy.probability, 0) AS probability,
  COALESCE(policy.probability, 0) / NULLIF(logged.propensity, 0) AS importance
FROM logged
JOIN lists ON logged.log_id = lists.log_id
LEFT JOIN policy ON lists.list_id = policy.list_id AND logged.item = policy.item AND logged.rank = policy.rank
