-- timed: the interactions that have a time; NaN is none.
SELECT *
FROM kept_rows
WHERE time IS NOT NULL
