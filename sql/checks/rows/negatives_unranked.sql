-- negatives_unranked: Some lists do not rank all of their negatives.
--
-- Relevant items would rank higher than among all candidates. Score every candidate of a list. See
-- [Sampled evaluation](sampled.md).
--
-- rows: lists that do not rank all of their negatives
-- of: recs
-- needs: negatives
-- order: 26
-- say: {n: list does; lists do} not rank all of their negatives, such as {recs}. Relevant items would rank too
--    high among the others. Give recommendations with a score for every candidate of a list, not only for its first
--    items.
SELECT list_id
FROM list_negative_counts
WHERE n_negatives_ranked < n_negatives
