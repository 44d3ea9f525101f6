-- relevant_weights: one row per truth list and relevant item, with its weight. A propensity outside (0, 1] gives no weight.
--
-- is_limited: 1 if 1 / propensity is above the largest value that it may have.
SELECT
  truth_id, item, rating, $weights AS weight,
  CASE WHEN LEAST(1 / propensity, $limit) < 1 / propensity THEN 1 ELSE 0 END AS is_limited
FROM relevant_propensities
WHERE propensity > 0 AND propensity <= 1
