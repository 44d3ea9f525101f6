-- metric_1: the metric that is used as recall.
SELECT recall AS metric_1
FROM metrics
