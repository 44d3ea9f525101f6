-- weighted_hits: one row per hit, with its weight, and the weights of the hits above it.
SELECT
  hits.list_id, hits.rank, hits.rating, hits.hit_number, relevant_weights.weight,
  SUM(relevant_weights.weight) OVER (
    PARTITION BY hits.list_id ORDER BY hits.rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) - relevant_weights.weight AS weight_above
FROM hits
JOIN relevant_weights ON hits.truth_id = relevant_weights.truth_id AND hits.item = relevant_weights.item
