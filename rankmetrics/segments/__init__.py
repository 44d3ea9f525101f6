"""Metrics per segment of lists or items, and systems whose order differs between segments."""
