-- time: holds out the interactions from a cut on.
--
-- Every train row is earlier than every test row. With a gap, rows shortly before the cut are in neither subset.
-- source: RecTools TimeRangeSplitter, RePlay TimeSplitter, LensKit split_global_time
SELECT *, CASE WHEN time >= $test_from THEN 'test' WHEN time < $train_until THEN 'train' END AS subset
FROM kept_rows
