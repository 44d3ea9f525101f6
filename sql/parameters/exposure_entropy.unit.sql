-- unit: the unit of the result.
SELECT
  $over AS bits, -- bits
  $over * LN(2) AS nats, -- nats
  $over * LN(2) / NULLIF(LN(n_distinct_catalog_items), 0) AS share, -- share of the entropy of the same number of recommendations for each item of the catalogue
  CASE
    WHEN longest < n_impressions AND longest < n_distinct_catalog_items THEN ($over * LN(2) - LN(longest)) / (highest_information - LN(longest))
  END AS corrected -- 0 if all lists are the same, 1 if the recommendations are as even over the catalogue as lists of this length can make them (Rampisela et al. 2024)
FROM runs
