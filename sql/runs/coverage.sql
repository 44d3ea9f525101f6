-- coverage: catalogue coverage: distinct items among the first k recommendations of all lists, as a share of the catalogue.
--
-- With unit=corrected, lists of unequal length, or with items outside the catalogue, may have a value outside of 0 to 1.
-- subject: coverage
-- formula: \frac{1}{|C|} \left|C \cap \bigcup_{s \in S} L_k^{(s)}\right|
-- undefined: as a share or a percentage, if the catalogue has no items; with unit=corrected, also if there is only one list, or if every list has all items.
-- range: [0, 1]; [0, inf) with counted=any; [0, inf) with unit=count; (-inf, inf) with unit=corrected; [0, 100] with unit=percent, unless counted=any
-- aliases: catalog_coverage, item_coverage
-- source: Ge, Delgado-Battenfeld, Jannach (2010), Beyond accuracy: evaluating recommender systems by coverage and serendipity. doi:10.1145/1864708.1864761; corrected: Rampisela et al. (2024), Evaluation measures of individual item fairness for recommender systems: a critical study. doi:10.1145/3631943
SELECT $unit AS coverage
FROM runs
