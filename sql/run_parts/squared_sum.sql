-- squared_sum: square of the length of the sum of all lists' vectors.
--
-- range: [0, inf)
SELECT SUM(weight * weight) AS squared_sum
FROM summed_list_vectors
