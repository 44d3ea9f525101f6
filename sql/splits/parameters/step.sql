-- step: the time from the start of a test window to the start of the next; by default its width.
SELECT NULL AS step
