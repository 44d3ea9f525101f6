-- exposures: one row per system and recommended item of the catalogue, with its exposure among the first k ranks of all lists.
--
-- when: among = catalog
SELECT
  by_id, item, SUM($weight) AS exposure,
  SUM($weight * rank) AS weight_by_rank, SUM($weight * $weight) AS squared_weight, COUNT(*) AS n_impressions
FROM impressions_in_catalog
WHERE rank <= $k
GROUP BY by_id, item
