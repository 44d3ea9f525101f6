-- pooled_auc: AUC of the hits of all lists: mean, over them, of the share of irrelevant items of the catalogue that stand below.
--
-- Relevant items that no list holds do not count: over short lists it is near 1.
-- Counts as gauc does.
-- undefined: there is no hit.
-- range: [0, 1] where gauc is
-- source: Anelli et al. (2021), Elliot: a comprehensive and rigorous framework for reproducible recommender systems evaluation. doi:10.1145/3404835.3463245
SELECT SUM(shares_below_hits) / CAST(NULLIF(SUM(CASE WHEN shares_below_hits IS NOT NULL THEN n_hits END), 0) AS DOUBLE) AS pooled_auc
FROM metrics
