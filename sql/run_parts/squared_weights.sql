-- squared_weights: sum of the squares of the weights of the recommendations of the items whose exposure is compared.
--
-- range: [0, inf)
SELECT SUM(squared_weight) AS squared_weights
FROM exposures
