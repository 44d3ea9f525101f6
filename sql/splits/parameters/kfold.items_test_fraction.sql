-- items_test_fraction: the share of the items of a fold's users that is held out; without it, all of their rows are held out.
--
-- range: (0, 1)
SELECT NULL AS items_test_fraction
