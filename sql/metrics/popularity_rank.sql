-- popularity_rank: mean popularity quantile of the first k recommendations: 0 for an item without a popularity, 1 for the most popular item.
--
-- formula: \frac{1}{n} \sum_{i=1}^{n} z_i
-- subject: popularity
-- undefined: the list is empty.
-- better: neither
-- range: [0, 1]
-- aliases: mean_pop_rank
-- source: LensKit 2025, lenskit.metrics.MeanPopRank
SELECT quantiles / NULLIF(n_recommended, 0) AS popularity_rank
FROM metrics
