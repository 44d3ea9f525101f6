-- signed_rank_sums: one row per metric and pair of systems, with the sums that Wilcoxon's signed-rank test needs.
--
-- Lists without a difference are ranked, and their ranks are left out of the sums, as Pratt does.
-- source: Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures. doi:10.1080/01621459.1959.10501526
SELECT
  pair_id,
  SUM(n) AS n,
  SUM(CASE WHEN magnitude = 0 THEN n ELSE CAST(0 AS DOUBLE) END) AS n_zero,
  SUM(CASE WHEN magnitude > 0 THEN mean_rank * n_higher ELSE CAST(0 AS DOUBLE) END) AS rank_sum_higher,
  SUM(CASE WHEN magnitude > 0 THEN mean_rank * (n - n_higher) ELSE CAST(0 AS DOUBLE) END) AS rank_sum_lower,
  SUM(CASE WHEN magnitude > 0 THEN n * (n * n - 1) ELSE CAST(0 AS DOUBLE) END) AS tied
FROM ranked_magnitudes
GROUP BY pair_id
