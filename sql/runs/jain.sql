-- jain: Jain's index of the exposure of items among the first k recommendations of all lists: the share of the items that would have the same exposure, if all others had none.
--
-- Items that are never recommended count with exposure 0, unless among=recommended.
-- With form=corrected, lists of unequal length, or with items outside the catalogue, may have a value outside of 0 to 1.
-- subject: coverage
-- formula: \frac{\left(\sum_{r=1}^{|C|} e_{(r)}\right)^2}{|C| \sum_{r=1}^{|C|} e_{(r)}^2}
-- undefined: no list has recommendations; with form=corrected, also if there is only one list, or if every list has all items.
-- range: [0, 1]; [0, inf) with among=any; (-inf, inf) with form=corrected
-- aliases: jain_index
-- source: Jain, Chiu, Hawe (1984), A quantitative measure of fairness and discrimination for resource allocation in shared computer systems. arXiv:cs/9809099; corrected: Rampisela et al. (2024), Evaluation measures of individual item fairness for recommender systems: a critical study. doi:10.1145/3631943
SELECT $form AS jain
FROM runs
