-- likeness: how alike two items are, by their categories.
SELECT
  n_common / CAST(upper_categories + lower_categories - n_common AS DOUBLE) AS jaccard, -- those in common over those of either
  n_common / SQRT(upper_categories * lower_categories) AS cosine -- those in common over the geometric mean of how many each has
FROM category_overlaps
