"""Metrics per segment of lists or items, and systems whose order differs between segments.

`segmentation` has the segmentations with their tables and columns, `segments` the queries over the files of
sql/segments, and `gaps` the differences between groups of users.
"""
