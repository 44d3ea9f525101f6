-- reo: ranking-based equal opportunity: how much the recall of relevant items differs between the categories.
--
-- It is the standard deviation of the recalls of the categories, divided by their mean. An item with several categories counts
-- in each. A category without relevant items is left out.
-- subject: fairness
-- formula: \frac{1}{\bar{r}} \sqrt{\frac{1}{|\Gamma|} \sum_{c \in \Gamma} (r_c - \bar{r})^2}
-- undefined: no relevant item with a category is recommended.
-- better: lower
-- range: [0, inf)
-- aliases: equal_opportunity
-- source: Zhu, Wang, Caverlee (2020), Measuring and mitigating item under-recommendation bias in personalized ranking systems. doi:10.1145/3397271.3401177
SELECT SQRT(category_recall_variance) / NULLIF(mean_category_recall, 0) AS reo
FROM runs
