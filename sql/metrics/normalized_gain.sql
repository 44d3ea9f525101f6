-- normalized_gain: sum of the gains of the hits, each discounted by how far the list is behind the ideal list, divided by the gains of all relevant items.
--
-- The discount of a hit is 1 / log2(2 + c - s): s is the sum of the gains of the list down to the hit, and c that of the
-- ideal list, where a rank counts at least 1. If every gain is 1, the value is that of binary_g.
-- formula: \frac{\sum_{i=1}^{k} g_i / \log_2 \left(2 + \sum_{j=1}^{i} \left(\max(1, g^{\ast}_j) - g_j\right)\right)}{\sum_{i=1}^{|R|} g^{\ast}_i}
-- subject: graded
-- undefined: the list has no relevant items, or their gains are 0.
-- range: [0, 1] if no gain is negative
-- source: trec_eval 9, measure G (experimental; Buckley, 2008)
SELECT gains_by_cost / NULLIF(ideal_gains, 0) AS normalized_gain
FROM metrics
