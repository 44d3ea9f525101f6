-- f_beta: weighted harmonic mean of two metrics, precision P and recall R by default: (1 + beta^2) P R / (beta^2 P + R); 0 where both are 0.
--
-- undefined: one of the two is.
-- range: [0, 1] where both are
-- aliases: F1, DSC
-- source: van Rijsbergen (1979), Information Retrieval, ch. 7
SELECT CASE WHEN $beta * $beta * $metric_0 + $metric_1 = 0 THEN CAST(0 AS DOUBLE) ELSE
  (1 + $beta * $beta) * $metric_0 * $metric_1 / ($beta * $beta * $metric_0 + $metric_1) END AS f_beta
FROM metrics
