-- numbered_categories: one row per recommendation of a catalogue item and category, with the number of items of this category down to its rank.
--
-- part: the item's own part of that number; an item with several categories counts in equal parts in each.
SELECT
  list_id, rank, category, CAST(1 AS DOUBLE) / n_categories AS part,
  SUM(CAST(1 AS DOUBLE) / n_categories) OVER (
    PARTITION BY list_id, category ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS n_of_category
FROM recommended_catalog_categories
