-- popularity_rank: mean of where the items of the first k places stand by popularity, from 0 (known to nobody) to 1 (the most popular).
--
-- undefined: the list is empty.
-- better: neither
-- range: [0, 1]
-- aliases: mean_pop_rank
-- source: LensKit 2025, lenskit.metrics.MeanPopRank
SELECT quantiles / NULLIF(n_recommended, 0) AS popularity_rank
FROM metrics
