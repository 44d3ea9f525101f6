"""A list seen from near: where each number of it comes from, and the lists on which a system does worst."""
