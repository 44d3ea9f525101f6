-- policy_repeated: Some lists of a policy have an item more than once at one position.
--
-- Add up the probabilities, or name the columns that tell the lists apart.
--
-- n: the items.
-- needs: probability
-- samples: recs repeated_policy_actions
-- order: 23
-- say: The recommendations have {n: item; items} more than once at one position of a list, such as {recs}. Add up
--    their probabilities, or name the columns that tell the lists apart.
SELECT policy_repeated AS n
FROM account
WHERE policy_repeated > 0
