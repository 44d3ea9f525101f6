-- no_action_in_common: No action of the log is one of the policy: the same item in the same list, at the same position.
--
-- Every estimate would be 0. Compare the items that the error shows. If positions count from 0 in one of the inputs
-- only, number them alike.
--
-- n: the actions of the log.
-- needs: log-actions
-- samples: recs recommended_items, log logged
-- order: 24
-- say: No action of the log is one that the policy takes: the same item in the same list, and at the same position
--    where there are positions. Recommendations have {recs}; the log has {log}. Every estimate would be 0.
SELECT log_actions AS n
FROM account
WHERE log_actions_taken = 0 AND log_actions > 0
