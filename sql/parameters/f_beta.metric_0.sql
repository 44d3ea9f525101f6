-- metric_0: the metric in the place of precision.
SELECT "precision" AS metric_0
FROM metrics
