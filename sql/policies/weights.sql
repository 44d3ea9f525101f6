-- weights: how much a hit counts.
--
-- A relevant item is seen only if somebody could meet it. Its propensity is the probability of that. With weights, each
-- hit counts w instead of 1 in the formula of the metric.
SELECT
  CAST(1 AS DOUBLE) AS none, -- 1, whatever its propensity
  LEAST(1 / $propensity, $limit) AS ips, -- 1 / propensity (inverse propensity scoring)
  LEAST(1 / $propensity, $limit) / AVG(LEAST(1 / $propensity, $limit)) OVER (PARTITION BY truth_id) AS snips -- 1 / propensity, divided by the mean of this number over the relevant items of the list (self-normalized)
FROM relevant_propensities
