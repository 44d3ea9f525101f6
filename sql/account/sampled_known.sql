-- sampled_known: relevant items of the sampled lists that are also in the history of the same list
--
-- needs: history
SELECT COUNT(*) AS sampled_known
FROM sampled_relevant_in_history
