-- reached_catalog_categories: one row per recommendation of a catalogue item among the first k and category of the item, with the share of the readers who get to it.
SELECT
  recommended_catalog_categories.list_id, recommended_catalog_categories.rank, recommended_catalog_categories.category,
  recommended_catalog_categories.n_categories, readers.reached
FROM recommended_catalog_categories
JOIN readers
  ON recommended_catalog_categories.list_id = readers.list_id AND recommended_catalog_categories.rank = readers.rank
WHERE readers.reached IS NOT NULL
