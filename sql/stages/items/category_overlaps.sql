-- category_overlaps: pairs of recommendations of a list that share a category, at the rank of the lower of the two.
SELECT
  upper.list_id, upper.rank AS upper_rank, lower.rank AS rank,
  upper.n_categories AS upper_categories, lower.n_categories AS lower_categories,
  COUNT(*) AS n_common
FROM tagged AS upper
JOIN tagged AS lower
  ON upper.list_id = lower.list_id AND upper.category = lower.category AND upper.rank < lower.rank
GROUP BY upper.list_id, upper.rank, lower.rank, upper.n_categories, lower.n_categories
