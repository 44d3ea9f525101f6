-- relevant_weighted: weights of relevant items by their propensities
--
-- measured: weights
-- shown: if any
SELECT COUNT(*) AS relevant_weighted
FROM relevant_weights
