-- gini: Gini coefficient of the exposure of items among the first k recommendations of all lists.
--
-- Items that are never recommended count with exposure 0, unless among=recommended.
-- With form=corrected, lists of unequal length, or with items outside the catalogue, may have a value outside of 0 to 1.
-- subject: coverage
-- formula: \frac{\sum_{r=1}^{|C|} (2 r - |C| - 1) e_{(r)}}{|C| \sum_{r=1}^{|C|} e_{(r)}}
-- undefined: no list has recommendations; with form=equality and form=normalized, also if there is only one item; with form=corrected, also if there is only one list, or if every list has all items.
-- better: neither
-- range: [0, 1]; (-inf, inf) with among=any; (-inf, inf) with form=corrected
-- source: Gini (1912), Variabilità e mutabilità. Bologna; corrected: Rampisela et al. (2024), Evaluation measures of individual item fairness for recommender systems: a critical study. doi:10.1145/3631943
SELECT $form AS gini
FROM runs
