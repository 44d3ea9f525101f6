-- of: the metric that is compared with its highest possible value.
SELECT
  SUM(n_hits) / CAST(NULLIF(SUM(n_ideal_hits), 0) AS DOUBLE) AS "precision", -- precision@k
  SUM(n_hits / CAST(NULLIF(n_relevant, 0) AS DOUBLE)) / NULLIF(SUM(n_ideal_hits / CAST(NULLIF(n_relevant, 0) AS DOUBLE)), 0) AS recall, -- recall@k
  SUM(n_hits) / CAST(NULLIF(SUM(weight_of_relevant), 0) AS DOUBLE) AS pooled_recall, -- recall over all lists together: hits of all lists, divided by their relevant items
  SUM(dcg) / NULLIF(SUM(ideal_dcg), 0) AS dcg, -- dcg@k
  SUM(dcg / NULLIF(ideal_dcg_by_rank, 0)) / NULLIF(SUM(ideal_dcg / NULLIF(ideal_dcg_by_rank, 0)), 0) AS ndcg -- dcg@k divided by the dcg of the ideal list without weights
FROM metrics
