"""The engines that run the query: one file each."""
