"""Many cutoffs at once: hits that are alike are counted, and each metric is read off the counts."""
