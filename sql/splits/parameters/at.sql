-- at: the first time of the test, or of the first test window: a date, a datetime or a number, like the time column.
SELECT NULL AS at
