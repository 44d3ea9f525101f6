-- unit: the unit of the popularity of an item.
SELECT
  popularities / NULLIF($divisor, 0) AS count, -- the number of users who have the item
  popularities / NULLIF(CAST($divisor AS DOUBLE) * n_interactions, 0) AS share -- this number as a share of the total popularity of all items; undefined if no item has a popularity
FROM metrics
