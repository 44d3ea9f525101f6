-- kl_divergence: Kullback-Leibler divergence of the list's categories from those of the history.
--
-- A category that the list lacks adds its share times -ln(alpha): the sum is over those that both have.
-- range: [0, inf)
SELECT -LN($alpha) + COALESCE(SUM(history_share * (LN(history_share / ((1 - $alpha) * list_share + $alpha * history_share)) + LN($alpha))), 0) AS kl_divergence
FROM shared_categories
