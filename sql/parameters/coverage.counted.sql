-- counted: the recommended items that count.
SELECT
  n_recommended_catalog_items AS known, -- items of the catalogue
  n_recommended_items AS "any" -- all items; the share may exceed 1
FROM runs
