-- probabilities_wrong: Some probabilities of the recommendations are not from 0 to 1.
--
-- Give each row the probability with which the policy shows the item, from 0 to 1.
--
-- rows: recommendations whose probability is not from 0 to 1
-- of: recs
-- needs: probability
-- order: 21
-- say: {n: recommendation has; recommendations have} no probability{in probability}, or a wrong one, such as
--    {recs}. A probability is a number from 0 to 1.
SELECT list_id, item
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL AND (probability IS NULL OR NOT (probability >= 0 AND probability <= 1))
