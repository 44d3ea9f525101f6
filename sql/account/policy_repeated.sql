-- policy_repeated: items that a policy has more than once at one position of a list
--
-- needs: probability
-- shown: if any
SELECT COUNT(*) AS policy_repeated
FROM repeated_policy_actions
