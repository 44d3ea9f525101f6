-- auc: area under the ROC curve within the list: share of the pairs of a hit and a miss where the hit stands first.
--
-- Over the full ranking it is the AUC of all candidates; of a list that holds only its hits, each with its rank, a pool
-- column says how many candidates there were. Relevant items that the list does not hold are not counted.
-- undefined: the first k places hold no hit, or nothing but hits.
-- range: [0, 1]
-- aliases: roc_auc
-- source: Hanley, McNeil (1982), The meaning and use of the area under a ROC curve. doi:10.1148/radiology.143.1.7063747
SELECT COALESCE(1 - misses_before_hits / NULLIF(n_hits * (COALESCE(n_ranked, depth) - n_hits), 0), $alone) AS auc
FROM metrics
