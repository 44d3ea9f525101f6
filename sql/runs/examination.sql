-- examination: how often readers look at position k, as a share of how often they look at the first: the rewards of items at position k, divided by those of the same items in the first position.
--
-- It is a property of the log, the same for all systems. Clicks have it as their propensity, if a click needs a look and nothing else
-- depends on the position.
-- formula: \frac{\sum_{(s, x)} \bar{y}_{sx}(k)}{\sum_{(s, x)} \bar{y}_{sx}(1)}
-- subject: log
-- cutoff: needed
-- undefined: no item of a list was shown at both positions, or their rewards in the first position are 0.
-- better: neither
-- range: (-inf, inf)
-- source: A. Agarwal et al., "Estimating Position Bias without Intrusive Interventions" (2019), doi:10.1145/3289600.3291017, the estimator PivotOne.
SELECT $of AS examination
FROM runs
