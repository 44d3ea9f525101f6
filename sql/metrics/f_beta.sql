-- f_beta: weighted harmonic mean of two metrics, by default precision P and recall R: (1 + beta^2) P R / (beta^2 P + R); 0 if both are 0.
--
-- formula: \frac{(1 + \beta^2) \mathrm{precision} \cdot \mathrm{recall}}{\beta^2 \mathrm{precision} + \mathrm{recall}}
-- subject: hits
-- undefined: one of the two metrics is undefined.
-- range: [0, 1] if both metrics are between 0 and 1
-- aliases: F1, DSC
-- source: van Rijsbergen (1979), Information Retrieval, ch. 7
SELECT CASE WHEN $weighting * $metric_0 + $metric_1 = 0 THEN CAST(0 AS DOUBLE) ELSE
  (1 + $weighting) * $metric_0 * $metric_1 / ($weighting * $metric_0 + $metric_1) END AS f_beta
FROM metrics
