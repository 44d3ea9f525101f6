-- random: holds out a random share of the interactions.
--
-- The share is a probability of each pair of user and item, so the number of test rows varies a little. Repeated
-- interactions of a pair stay together.
-- source: RecTools RandomSplitter, RePlay RandomSplitter, LensKit sample_records
SELECT *, CASE WHEN row_hash < $test_fraction_hash THEN 'test' ELSE 'train' END AS subset
FROM hashed
