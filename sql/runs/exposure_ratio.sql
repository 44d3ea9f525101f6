-- exposure_ratio: demographic parity of exposure: exposure of a mean catalogue item of the least exposed category, divided by that of the most exposed category.
--
-- The exposure of an item is the sum of the discounts of its ranks in all lists; with attention=cascade, each discount is
-- multiplied by the share of the readers who get to the rank. An item with several categories gives each
-- an equal part. An item without a category, or outside the catalogue, is left out. A category that is never recommended
-- makes the ratio 0.
-- subject: fairness
-- formula: \frac{\min_{c} \bar{e}_c}{\max_{c} \bar{e}_c}
-- undefined: no recommended item of the catalogue has a category.
-- range: [0, 1]
-- aliases: group_exposure_ratio, exposure_parity
-- source: Singh, Joachims (2018), Fairness of exposure in rankings. doi:10.1145/3219819.3220088
SELECT
  CASE
    WHEN n_exposed_categories > 0 AND n_exposed_categories < n_catalog_categories THEN CAST(0 AS DOUBLE)
    ELSE least_exposure / most_exposure
  END AS exposure_ratio
FROM runs
