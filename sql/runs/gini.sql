-- gini: Gini coefficient of the exposure of items among the first k recommendations of all lists.
--
-- Items that are never recommended count with exposure 0, unless among=recommended.
-- formula: \frac{\sum_{r=1}^{|C|} (2 r - |C| - 1) e_{(r)}}{|C| \sum_{r=1}^{|C|} e_{(r)}}
-- undefined: no list has recommendations; with form=equality, also if there is only one item.
-- better: neither
-- range: [0, 1]; (-inf, inf) with among=any
-- source: Gini (1912), Variabilità e mutabilità. Bologna
SELECT $form AS gini
FROM runs
