-- squared_sum: squared length of the sum of the unit vectors of all lists.
--
-- range: [0, inf)
SELECT SUM(weight * weight) AS squared_sum
FROM summed_list_vectors
