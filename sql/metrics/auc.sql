-- auc: area under the ROC curve within the list: share of the pairs of a hit and a miss in which the hit ranks higher.
--
-- If the list ranks all candidates, this is the AUC over all candidates. A list may also hold only the hits and their ranks;
-- then a pool column gives the number of candidates. Relevant items that are not in the list do not count.
-- formula: \frac{\sum_{1 \le i \lt j \le n} \mathrm{hit}_i (1 - \mathrm{hit}_j)
--   }{\sum_{i=1}^{n} \mathrm{hit}_i \cdot \sum_{j=1}^{n} (1 - \mathrm{hit}_j)}
-- subject: classification
-- undefined: the first k positions hold no hit, or only hits.
-- range: [0, 1]
-- aliases: roc_auc
-- source: Hanley, McNeil (1982), The meaning and use of the area under a ROC curve. doi:10.1148/radiology.143.1.7063747
SELECT COALESCE(1 - misses_before_hits / NULLIF(n_hits * (COALESCE(n_ranked, depth) - n_hits), 0), $alone) AS auc
FROM metrics
