-- impressions_of_categories: one row per recommendation of a catalogue item in a scored list and category of the item.
--
-- part: its part of the exposure of one catalogue item of the category.
SELECT
  impressions.list_id, impressions.rank, catalog_categories.category,
  1 / (catalog_categories.n_categories * category_sizes.n_items) AS part
FROM impressions
JOIN catalog_categories ON impressions.fold_id = catalog_categories.fold_id AND impressions.item = catalog_categories.item
JOIN category_sizes
  ON catalog_categories.fold_id = category_sizes.fold_id AND catalog_categories.category = category_sizes.category
