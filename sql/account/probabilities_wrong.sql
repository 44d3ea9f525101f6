-- probabilities_wrong: recommendations whose probability is not from 0 to 1
--
-- needs: probability
-- shown: if any
SELECT COUNT(*) AS probabilities_wrong
FROM recs_with_wrong_probability
