-- per: what the squares are averaged over.
SELECT
  CAST(n_targets AS DOUBLE) AS list, -- the truth lists: the squares of all items are added
  CAST(n_targets AS DOUBLE) * n_distinct_catalog_items AS item -- the pairs of a truth list and an item of the catalogue: II-F (Wu et al. 2022)
FROM runs
