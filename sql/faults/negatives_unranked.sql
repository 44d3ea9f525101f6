-- negatives_unranked: Some lists do not rank all of their negatives.
--
-- Relevant items would rank higher than among all candidates. Score every candidate of a list. See
-- [Sampled evaluation](sampled.md).
--
-- n: the lists.
-- needs: negatives
-- samples: recs lists_with_unranked_negatives
SELECT lists_with_unranked_negatives AS n
FROM account
WHERE lists_with_unranked_negatives > 0
