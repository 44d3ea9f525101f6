"""Paired comparisons of systems: sums over the values per list, computed as SQL, and the statistics from these sums.

`plan`: the values per list of several systems, and the files of sql/comparisons as a query; `statistics`: the sums of
a pair, the tests and corrections; `comparison`: the `Comparison` of a result or of two files: options, printing,
average ranks over data sets; `power`: the number of lists needed for a difference; `agreement`: how alike two metrics
or runs order the systems.
"""
