-- impression_loggers: one row per impression of the log, with the logger that showed it. An impression without a logger has no row.
SELECT log_id, impression_id, MAX(logger) AS logger
FROM log
WHERE log_id IS NOT NULL AND item IS NOT NULL AND logger IS NOT NULL
GROUP BY log_id, impression_id
