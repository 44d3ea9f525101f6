-- policy_repeated: Some lists of a policy have an item more than once at one position.
--
-- Add up the probabilities, or name the columns that tell the lists apart.
--
-- n: the items.
-- needs: probability
-- samples: recs repeated_policy_actions
SELECT policy_repeated AS n
FROM account
WHERE policy_repeated > 0
