-- rbo: rank-biased overlap of the first k recommendations with the first k of the baseline: mean of the overlap at each depth d, weighted by p^(d - 1).
--
-- Depths beyond k are left out, and the weights of the other depths are scaled to add up to 1. With beyond=extrapolated, both lists go
-- on below their ends, and share the same part of their items there as above: equation 32 of the paper, for lists of any two lengths.
--
-- Extrapolated, equal scores can count as ties (tied=equal, averaged or corrected). The ties of whole lists count then, also if only
-- some of the items are among the first k.
-- formula: \frac{1 - p}{1 - p^k} \sum_{i=1}^{k} p^{i-1} \frac{|L_i \cap B_i|}{i}
-- subject: baseline
-- cutoff: needed
-- undefined: the list is empty, or has no baseline.
-- better: neither
-- range: [0, 1]
-- aliases: rank_biased_overlap
-- source: Webber, Moffat, Zobel (2010), A similarity measure for indefinite rankings. doi:10.1145/1852102.1852106; ties: Corsi, Urbano (2024), The treatment of ties in rank-biased overlap. doi:10.1145/3626772.3657700
SELECT CASE WHEN n_recommended > 0 AND n_baseline > 0 THEN $beyond END AS rbo
FROM metrics
