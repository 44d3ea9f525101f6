-- satisfied_items: share of the items of the catalogue that have their fair share of the first k recommendations of all lists: as many as if all items had the same number, rounded down.
--
-- If there are fewer recommendations than items, all items are satisfied. A recommended item outside the catalogue counts, too.
-- With form=corrected, the value may be below 0: unequal lists may leave more items without their share than equal lists do.
-- subject: fairness
-- formula: \frac{1}{|C|} \left|\lbrace r : e_{(r)} \ge \left\lfloor \frac{1}{|C|} \sum_{r=1}^{|C|} e_{(r)} \right\rfloor \rbrace\right|
-- undefined: no list has recommendations; with form=corrected, also if a list has all items.
-- range: [0, inf); (-inf, inf) with form=corrected
-- aliases: fsat, fraction_of_satisfied_items
-- source: Patro et al. (2020), FairRec: two-sided fairness for personalized recommendations in two-sided platforms. doi:10.1145/3366423.3380196; corrected: Rampisela et al. (2024), Evaluation measures of individual item fairness for recommender systems: a critical study. doi:10.1145/3631943
SELECT $form AS satisfied_items
FROM runs
