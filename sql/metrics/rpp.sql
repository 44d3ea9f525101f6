-- rpp: recall-paired preference: share of the recall levels that the list reaches at a higher rank than the baseline, less the share that the baseline does.
--
-- Level i is reached at the rank of the i-th hit. A relevant item that is not among the first k is not reached, and
-- levels that neither reaches, or both at the same rank, add 0. The value of a list with the roles turned is the same
-- with the other sign, and the baseline's own value is 0: so its differences in a comparison are preferences. A list
-- without a baseline is compared with an empty list. Grades count only as relevant or not.
-- formula: \frac{\sum_{\eta=1}^{|R|} \nu_{\eta} \mathrm{sign}(\beta_{\eta} - \alpha_{\eta})}{\sum_{\eta=1}^{|R|} \nu_{\eta}}
-- subject: baseline
-- undefined: the list has no relevant items.
-- range: [-1, 1]
-- preference: over the baseline
-- aliases: recall_paired_preference
-- source: Diaz, Ferraro (2022), Offline retrieval evaluation without evaluation metrics. doi:10.1145/3477495.3532033
SELECT preferred_levels / NULLIF(level_weights, 0) AS rpp
FROM metrics
