-- surprise_of_list: Kullback-Leibler divergence of the list's categories from those of the history.
--
-- A category that the list lacks adds its share times -ln(alpha): the sum is over those that both have.
-- range: [0, inf)
SELECT -LN($alpha) + COALESCE(SUM(was * (LN(was / ((1 - $alpha) * became + $alpha * was)) + LN($alpha))), 0) AS surprise_of_list
FROM shared_categories
