-- policy_repeated: Some lists of a policy have an item more than once at one position.
--
-- Add up the probabilities, or name the columns that tell the lists apart.
--
-- rows: items that a policy has more than once at one position of a list
-- of: recs
-- needs: probability
-- order: 23
-- say: The recommendations have {n: item; items} more than once at one position of a list, such as {recs}. Add up
--    their probabilities, or name the columns that tell the lists apart.
SELECT list_id, item, rank, COUNT(*) AS n_rows
FROM policy
GROUP BY list_id, item, rank
HAVING COUNT(*) > 1
