"""Gates: limits that the numbers of a result must keep, and the report of which are kept."""
