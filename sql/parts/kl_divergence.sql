-- kl_divergence: Kullback-Leibler divergence KL(history || list) of the category distributions, in nats.
--
-- The list is first mixed with `alpha` of the history. A category that the list lacks adds its history share times -ln(alpha).
-- So the sum needs only the categories that both the list and its history have.
-- range: [0, inf)
SELECT -LN($alpha) + COALESCE(SUM(history_share * (LN(history_share / ((1 - $alpha) * list_share + $alpha * history_share)) + LN($alpha))), 0) AS kl_divergence
FROM shared_categories
