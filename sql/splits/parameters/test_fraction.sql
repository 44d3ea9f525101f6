-- test_fraction: the share of the rows that is held out.
--
-- range: (0, 1)
SELECT 0.2 AS test_fraction
