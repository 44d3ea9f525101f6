-- prefix_information: one row per list and rank of a catalogue item with a category, with sums over the items down to this rank.
--
-- information: the sum, over the categories, of n * ln(n / target), where n is the number of items of the category.
-- n_items: the number of all these items. The divergence from the target is information / n_items - ln(n_items).
SELECT
  list_id, rank,
  SUM(added) OVER (PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS information,
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY rank) AS n_items
FROM category_information
