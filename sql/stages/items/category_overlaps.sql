-- category_overlaps: one row per pair of recommendations of a list that share a category.
--
-- rank: the larger of the two ranks, so `rank <= k` means that both recommendations are among the first k.
-- n_common: the number of categories that both items have.
SELECT
  upper.list_id, upper.rank AS upper_rank, lower.rank AS rank,
  upper.n_categories AS upper_categories, lower.n_categories AS lower_categories,
  COUNT(*) AS n_common
FROM recommended_categories AS upper
JOIN recommended_categories AS lower
  ON upper.list_id = lower.list_id AND upper.category = lower.category AND upper.rank < lower.rank
GROUP BY upper.list_id, upper.rank, lower.rank, upper.n_categories, lower.n_categories
