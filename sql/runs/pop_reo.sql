-- pop_reo: ranking-based equal opportunity of popularity: how unevenly relevant items of the long tail and of the head are found.
--
-- Standard deviation over mean of the two shares.
-- undefined: neither group is recommended, or one of them has no item.
-- better: lower
-- range: [0, 1]
-- source: Zhu, Wang, Caverlee (2020), Measuring and mitigating item under-recommendation bias in personalized ranking systems. doi:10.1145/3397271.3401177
SELECT ABS(SUM(n_tail_hits) / CAST(NULLIF(SUM(n_tail_relevant), 0) AS DOUBLE) - SUM(n_head_hits) / CAST(NULLIF(SUM(n_head_relevant), 0) AS DOUBLE))
  / NULLIF(SUM(n_tail_hits) / CAST(NULLIF(SUM(n_tail_relevant), 0) AS DOUBLE) + SUM(n_head_hits) / CAST(NULLIF(SUM(n_head_relevant), 0) AS DOUBLE), 0) AS pop_reo
FROM metrics
