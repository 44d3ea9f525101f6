-- pop_rsp: ranking-based statistical parity of popularity: how much the share of items that are recommended differs between the long tail and the head.
--
-- It is the standard deviation of the two shares, divided by their mean. Items in the history of a list do not count.
-- subject: fairness
-- formula: \frac{|a_{\mathrm{tail}} - a_{\mathrm{head}}|}{a_{\mathrm{tail}} + a_{\mathrm{head}}}
-- undefined: no item of either group is recommended, or a group has no items.
-- better: lower
-- range: [0, 1]
-- source: Zhu, Wang, Caverlee (2020), Measuring and mitigating item under-recommendation bias in personalized ranking systems. doi:10.1145/3397271.3401177
SELECT ABS(SUM(n_long_tail) / CAST(NULLIF(SUM(n_tail - n_tail_history), 0) AS DOUBLE) - SUM(n_short_head) / CAST(NULLIF(SUM(n_head - n_head_history), 0) AS DOUBLE))
  / NULLIF(SUM(n_long_tail) / CAST(NULLIF(SUM(n_tail - n_tail_history), 0) AS DOUBLE) + SUM(n_short_head) / CAST(NULLIF(SUM(n_head - n_head_history), 0) AS DOUBLE), 0) AS pop_rsp
FROM metrics
