-- gap: the length of time before the test from which no row is in train, such as 7 days, or a number in the units of the time column.
SELECT NULL AS gap
