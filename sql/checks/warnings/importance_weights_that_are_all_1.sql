-- importance_weights_that_are_all_1: The importance weights are all nearly 1.
--
-- severity: warning
-- order: 112
-- needs: log-actions
-- heading: policies-that-do-not-fit-the-metric
-- say: The importance weights of {log_actions} logged actions are all nearly 1: the propensities are those of the
--    policy. Give the probabilities with which the old policy, which made the log, showed its items.
SELECT log_actions AS n
FROM account
WHERE log_actions >= 100 AND log_actions = log_importance AND log_actions = log_squared_importance
