-- rsp: ranking-based statistical parity: how much the share of items that are recommended differs between the categories.
--
-- It is the standard deviation of the shares of the categories, divided by their mean. An item with several categories counts
-- in each. Items in the history of a list do not count among its candidates, and a category without candidates is left out. If such
-- an item is recommended all the same, it counts as recommended: leave items of the history out of the recommendations.
-- subject: fairness
-- formula: \frac{1}{\bar{a}} \sqrt{\frac{1}{|\Gamma|} \sum_{c \in \Gamma} (\tilde{a}_c - \bar{a})^2}
-- undefined: no catalogue item with a category is recommended.
-- better: lower
-- range: [0, inf)
-- aliases: statistical_parity
-- source: Zhu, Wang, Caverlee (2020), Measuring and mitigating item under-recommendation bias in personalized ranking systems. doi:10.1145/3397271.3401177
SELECT SQRT(category_chance_variance) / NULLIF(mean_category_chance, 0) AS rsp
FROM runs
