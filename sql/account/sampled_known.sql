-- sampled_known: relevant items of the sampled lists that the history has, too
--
-- needs: history
SELECT COUNT(*) AS sampled_known
FROM sampled_relevant_in_history
