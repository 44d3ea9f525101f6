-- windows: the number of test windows.
--
-- range: integer [1, inf)
SELECT 3 AS windows
