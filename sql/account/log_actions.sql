-- log_actions: actions of the log in the lists that are scored
--
-- needs: propensity
SELECT COUNT(*) AS log_actions
FROM logged_actions
