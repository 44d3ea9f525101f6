-- share_of_best: sum of a metric over the lists, divided by the sum of the highest values that it can have.
--
-- With weights=ips, this is PSP, PSR or PSnDCG at k of extreme classification, as its papers report them.
-- subject: hits
-- formula: \frac{\sum_{s \in S} \sum_{i=1}^{k} \mathrm{hit}_i}{\sum_{s \in S} \min(k, |R|)}
-- undefined: the highest possible sum is 0.
-- range: [0, 1] if no gain is negative
-- source: Jain, Prabhu, Varma (2016), Extreme multi-label loss functions for recommendation, tagging, ranking and other missing label applications. doi:10.1145/2939672.2939756
SELECT $of AS share_of_best
FROM metrics
