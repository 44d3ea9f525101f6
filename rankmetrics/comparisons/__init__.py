"""Paired comparisons of systems: sums over the values per list, computed as SQL, and the statistics from these sums."""
