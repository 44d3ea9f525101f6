-- bias_disparity: bias disparity: how much more a category is recommended than it is in the history of the same users, as a share of the latter.
--
-- It is 0 if both have the same share of the category, 1 if recommendations have twice the share, and -1 if they have
-- none. An item with several categories counts in equal parts in each; an item without a category is left out. For
-- groups of users, name their column in `by`.
-- subject: fairness
-- formula: \frac{1}{|\Gamma|} \sum_{c \in \Gamma} \left(\frac{\hat{q}_c}{\hat{h}_c} - 1\right)
-- undefined: no recommended item has a category, or the history does not have the named category; with of=recommended and of=history, if the recommendations or the history have no category at all, or no item has the named category.
-- better: neither
-- range: [-1, inf); [0, inf) with of=recommended; [0, inf) with of=history
-- source: Tsintzou, Pitoura, Tsaparas (2018), Bias disparity in recommendation systems. arXiv:1811.01461
SELECT AVG($of) AS bias_disparity
FROM category_biases
WHERE CAST(category AS TEXT) = $category
