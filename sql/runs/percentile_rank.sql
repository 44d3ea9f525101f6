-- percentile_rank: mean percentile rank (MPR) of the relevant items of all lists: 0 if all rank first, 50 if they rank at random.
--
-- The percentile of rank r is 100 (r - 1) / items of the catalogue. A relevant item that is not recommended counts as halfway
-- between the last position of the list and 100.
-- subject: classification
-- formula: \frac{100}{\sum_{s \in S} |R|} \sum_{s \in S} \left(\sum_{i=1}^{k} \mathrm{hit}_i \frac{i - 1}{|C|}
--   + \frac{|R \setminus L_k|}{2} \left(\frac{\max(0, n - 1)}{|C|} + 1\right)\right)
-- undefined: no list has relevant items, or the catalogue has no items.
-- better: lower
-- range: [0, 100] if no list is longer than the catalogue
-- aliases: mpr, mean_percentile_rank
-- source: Y. Hu, Y. Koren, C. Volinsky, "Collaborative Filtering for Implicit Feedback Datasets" (2008); PercentileRanking of RecPack.
SELECT 100 * SUM(
  (ranks_of_hits - n_hits) / CAST(NULLIF(n_catalog_items, 0) AS DOUBLE)
  + (n_relevant - n_hits) * (GREATEST(COALESCE(depth, 1) - 1, 0) / CAST(NULLIF(n_catalog_items, 0) AS DOUBLE) + 1) / 2
) / CAST(NULLIF(SUM(n_relevant), 0) AS DOUBLE) AS percentile_rank
FROM metrics
