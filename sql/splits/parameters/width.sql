-- width: the length of a test window, such as 7 days, or a number in the units of the time column.
SELECT NULL AS width
