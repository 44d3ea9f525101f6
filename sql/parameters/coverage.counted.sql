-- counted: which recommended items count.
SELECT
  n_recommended_catalog_items AS known, -- those that could be recommended, as the catalogue says
  n_recommended_items AS "any" -- all of them; a share may exceed 1
FROM runs
