-- ips_hits: number of hits, each weighted by the inverse propensity of the item: all interactions, divided by the interactions with the item.
--
-- A weight above 10,000 counts as 10,000. An item without a popularity counts 0.
-- formula: \sum_{i=1}^{k} \mathrm{hit}_i \min\left(\frac{\sum_{x} u_x}{u_i}, 10^4\right)
-- subject: popularity
-- undefined: the list has no relevant items.
-- range: [0, inf)
-- aliases: ips_hit_rate
-- source: T. Schnabel et al., "Recommendations as Treatments: Debiasing Learning and Evaluation" (2016); IPSHitRateK of RecPack.
SELECT CASE WHEN n_relevant > 0 THEN propensity_weights END AS ips_hits
FROM metrics
