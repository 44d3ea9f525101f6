-- at: the first time of the test, or of the first test window: a date, a datetime or a number, as the time column has.
SELECT NULL AS at
