-- negatives_unranked: Some lists do not rank all of their negatives.
--
-- Relevant items would rank higher than among all candidates. Score every candidate of a list. See
-- [Sampled evaluation](sampled.md).
--
-- n: the lists.
-- needs: negatives
-- samples: recs lists_with_unranked_negatives
-- order: 26
-- say: {n: list does; lists do} not rank all of their negatives, such as {recs}. Relevant items would rank too
--    high among the others. Give recommendations with a score for every candidate of a list, not only for its first
--    items.
SELECT lists_with_unranked_negatives AS n
FROM account
WHERE lists_with_unranked_negatives > 0
