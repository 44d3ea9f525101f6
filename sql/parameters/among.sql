-- among: whose exposure is compared.
SELECT
  n_distinct_catalog_items AS catalog, -- that of all items that could be recommended; others are left out
  n_exposed AS recommended, -- that of the items that were recommended
  n_distinct_catalog_items AS "any" -- that of the items that were, taken to be of as many as the catalogue has (Elliot)
FROM runs
