-- sliding: holds out one time window after the other. The rows before a window are its train rows.
--
-- Window i begins at `at` + (i - 1) * step. Its train rows are all earlier rows, or the rows of the last train_width before
-- it. With a gap, rows shortly before the window are in neither subset.
-- source: RecTools TimeRangeSplitter, LensKit split_global_time with several times
SELECT
  kept_rows.*,
  windows.fold,
  CASE
    WHEN time >= windows.test_from AND time < windows.test_until THEN 'test'
    WHEN time >= $train_from AND time < windows.train_until THEN 'train'
  END AS subset
FROM kept_rows
CROSS JOIN windows
