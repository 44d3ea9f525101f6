-- category_diversity: mean dissimilarity of all pairs among the first k recommendations, by their categories.
--
-- An item without a category is left out.
-- formula: 1 - \frac{2}{n_c (n_c - 1)} \sum_{i \lt j \le k} \frac{|c_i \cap c_j|}{|c_i \cup c_j|}
-- subject: diversity
-- undefined: fewer than two items have a category.
-- range: [0, 1]
-- source: Ziegler et al. (2005), Improving recommendation lists through topic diversification. doi:10.1145/1060745.1060754
SELECT 1 - category_likeness / NULLIF(n_with_category * (n_with_category - 1) / CAST(2 AS DOUBLE), 0) AS category_diversity
FROM metrics
