-- clipped_share: share of the logged actions whose importance weight is made smaller, by `clip` or by another `weighting`.
--
-- formula: \frac{\sum_{s \in S} \left|\lbrace (v, i) : \omega_{vi} \ne \omega^{\ast}_{vi} \rbrace\right|}{\sum_{s \in S} \sum_{v=1}^{V} \sum_{i=1}^{k} 1}
-- undefined: no list is in the log.
-- better: lower
-- subject: log
-- range: [0, 1]
-- source: E. L. Ionides, "Truncated Importance Sampling" (2008), doi:10.1198/106186008X320456
SELECT SUM(n_lowered) / CAST(NULLIF(SUM(n_actions), 0) AS DOUBLE) AS clipped_share
FROM metrics
