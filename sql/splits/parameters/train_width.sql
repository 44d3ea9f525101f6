-- train_width: the length of the time before a test window that is in train; by default, all of the time before it.
SELECT NULL AS train_width
