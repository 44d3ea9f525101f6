-- repeated_log_positions: one row per position that an impression of the log holds more than once.
SELECT log_id, impression_id, rank, COUNT(*) AS n_rows
FROM logged
GROUP BY log_id, impression_id, rank
HAVING COUNT(*) > 1
