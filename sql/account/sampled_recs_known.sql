-- sampled_recs_known: recommendations of the sampled lists that are in the history of the same list
--
-- needs: history
SELECT COUNT(*) AS sampled_recs_known
FROM sampled_recommendations_in_history
