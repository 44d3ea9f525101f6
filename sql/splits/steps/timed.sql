-- timed: the interactions that have a time.
SELECT *
FROM kept_rows
WHERE time IS NOT NULL
