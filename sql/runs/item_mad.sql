-- item_mad: mean absolute difference between the categories of items: how much better the recommendations of the items of one category are than those of another.
--
-- The quality of an item is the mean gain of its recommendations, and that of a category is the mean over its recommended
-- items. The differences are averaged over all pairs of categories. An item with several categories counts in each; an
-- item without a category is left out.
-- subject: fairness
-- formula: \frac{2}{|\Gamma| (|\Gamma| - 1)} \sum_{c \lt c'} |\bar{g}_c - \bar{g}_{c'}|
-- undefined: fewer than two categories are recommended.
-- better: lower
-- range: [0, 1]; [0, inf) with gain=linear; [0, inf) with gain=positive; [0, inf) with gain=exponential; [0, inf) with gain=excess
-- aliases: item_mad_ranking
-- source: Deldjoo et al. (2021), A flexible framework for evaluating user and item fairness in recommender systems. doi:10.1007/s11257-020-09285-1
SELECT
  CASE
    WHEN n_qualities > 1 THEN 2 * (2 * quality_by_position - (n_qualities + 1) * quality_sum) / CAST(n_qualities * (n_qualities - 1) AS DOUBLE)
  END AS item_mad
FROM runs
