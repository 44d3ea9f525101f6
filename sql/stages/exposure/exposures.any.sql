-- exposures: one row per system and recommended item, with its exposure: the weight of its impressions among the first k ranks of all lists.
--
-- when: among = any
SELECT
  by_id, item, SUM($weight) AS exposure,
  SUM($weight * rank) AS weight_by_rank, SUM($weight * $weight) AS squared_weight, COUNT(*) AS n_impressions
FROM impressions
WHERE rank <= $k
GROUP BY by_id, item
