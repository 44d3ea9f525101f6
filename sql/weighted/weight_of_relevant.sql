-- weight_of_relevant: sum of the weights of the relevant items of the list.
SELECT COALESCE(SUM(weight), 0) AS weight_of_relevant
FROM relevant_weights
