-- step: the time from the start of a test window to the start of the next; by default, the width of a window.
SELECT NULL AS step
