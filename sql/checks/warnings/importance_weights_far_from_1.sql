-- importance_weights_far_from_1: The mean of the importance weights is far from 1.
--
-- severity: warning
-- found: by a test
-- order: 111
-- needs: log-actions
-- say: The mean of the importance weights{of systems} is {log_importance / log_actions:.2f}, and 1 is expected.
--    Are the propensities those of the items that were shown, at their positions? Does the log lack items that the
--    policy shows, or the policy lists of the log? Estimates by weights are biased then.
SELECT log_actions AS n
FROM account
