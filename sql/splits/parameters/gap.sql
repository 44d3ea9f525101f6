-- gap: the time before the test of which no row is in train: such as 7 days, or a number in the units of the time column.
SELECT NULL AS gap
