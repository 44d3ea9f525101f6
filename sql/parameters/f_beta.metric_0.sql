-- metric_0: the metric that is used as precision.
SELECT "precision" AS metric_0
FROM metrics
