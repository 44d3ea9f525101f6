-- log_actions_taken: actions of the log that the policy takes, too
--
-- needs: propensity
SELECT COUNT(CASE WHEN importance > 0 THEN 1 END) AS log_actions_taken
FROM logged_actions
