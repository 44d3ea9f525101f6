-- among: the items whose exposure is compared.
SELECT
  n_distinct_catalog_items AS catalog, -- all items that could be recommended; recommended items outside the catalogue are left out
  n_exposed AS recommended, -- the recommended items
  n_distinct_catalog_items AS "any" -- the recommended items, in the catalogue or not, counted as if there were as many items as in the catalogue (Elliot)
FROM runs
