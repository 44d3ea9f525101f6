-- time_facts: the number of rows without a time, and the first and last time.
SELECT COUNT(*) - COUNT(time) AS n_without_time, MIN(time) AS first_time, MAX(time) AS last_time
FROM interactions
