-- pop_reo: ranking-based equal opportunity of popularity: how much the recall of relevant items differs between the long tail and the head.
--
-- It is the standard deviation of the two recalls, divided by their mean.
-- subject: fairness
-- formula: \frac{|r_{\mathrm{tail}} - r_{\mathrm{head}}|}{r_{\mathrm{tail}} + r_{\mathrm{head}}}
-- undefined: no relevant item of either group is recommended, or a group has no relevant items.
-- better: lower
-- range: [0, 1]
-- source: Zhu, Wang, Caverlee (2020), Measuring and mitigating item under-recommendation bias in personalized ranking systems. doi:10.1145/3397271.3401177
SELECT ABS(SUM(n_tail_hits) / CAST(NULLIF(SUM(n_tail_relevant), 0) AS DOUBLE) - SUM(n_head_hits) / CAST(NULLIF(SUM(n_head_relevant), 0) AS DOUBLE))
  / NULLIF(SUM(n_tail_hits) / CAST(NULLIF(SUM(n_tail_relevant), 0) AS DOUBLE) + SUM(n_head_hits) / CAST(NULLIF(SUM(n_head_relevant), 0) AS DOUBLE), 0) AS pop_reo
FROM metrics
