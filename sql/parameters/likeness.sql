-- likeness: the similarity of two items by their categories.
SELECT
  n_common / CAST(upper_categories + lower_categories - n_common AS DOUBLE) AS jaccard, -- number of shared categories, divided by the number of categories that either item has
  n_common / SQRT(upper_categories * lower_categories) AS cosine -- number of shared categories, divided by the geometric mean of the two items' numbers of categories
FROM category_overlaps
