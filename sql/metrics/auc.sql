-- auc: area under the ROC curve within the list: share of the pairs of a hit and a miss where the hit stands first.
--
-- undefined: the first k places hold no hit, or nothing but hits.
-- range: [0, 1]
-- aliases: roc_auc
-- source: Hanley, McNeil (1982), The meaning and use of the area under a ROC curve. doi:10.1148/radiology.143.1.7063747
SELECT 1 - misses_before_hits / NULLIF(n_hits * (depth - n_hits), 0) AS auc
FROM metrics
