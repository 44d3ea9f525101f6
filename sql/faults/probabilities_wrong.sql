-- probabilities_wrong: Some probabilities of the recommendations are not from 0 to 1.
--
-- Give each row the probability with which the policy shows the item, from 0 to 1.
--
-- n: the rows.
-- needs: probability
-- samples: recs recs_with_wrong_probability
-- order: 21
-- say: {n: recommendation has; recommendations have} no probability{in probability}, or a wrong one, such as
--    {recs}. A probability is a number from 0 to 1.
SELECT probabilities_wrong AS n
FROM account
WHERE probabilities_wrong > 0
