-- metric_1: the metric in the place of recall.
SELECT recall AS metric_1
FROM metrics
