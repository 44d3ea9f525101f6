-- highest_information: the highest entropy that lists of this number and length can have over the catalogue, in nats: each item has the same number of recommendations, or one more.
--
-- range: [0, inf)
SELECT
  LN(n_impressions) - (
    (n_distinct_catalog_items * (1 + impressions_per_item) - n_impressions) * impressions_per_item * LN(GREATEST(impressions_per_item, 1))
    + (n_impressions - n_distinct_catalog_items * impressions_per_item) * (impressions_per_item + 1) * LN(impressions_per_item + 1)
  ) / n_impressions AS highest_information
FROM runs
