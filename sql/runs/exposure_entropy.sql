-- exposure_entropy: entropy of the distribution of items over the first k recommendations of all lists, in bits.
--
-- With unit=corrected, lists of unequal length, or with items outside the catalogue, may have a value outside of 0 to 1.
-- subject: coverage
-- formula: -\sum_{x} f_x \log_2 f_x
-- undefined: no list has recommendations; with unit=share, also if there is only one item; with unit=corrected, also if there is only one list, or if every list has all items.
-- range: [0, inf); (-inf, inf) with unit=corrected
-- aliases: shannon_entropy
-- source: Shannon (1948), A mathematical theory of communication. doi:10.1002/j.1538-7305.1948.tb01338.x; corrected: Rampisela et al. (2024), Evaluation measures of individual item fairness for recommender systems: a critical study. doi:10.1145/3631943
SELECT $unit AS exposure_entropy
FROM runs
