"""Splits of interactions into train and test, by the files of sql/splits.

`methods` has the methods with their parameters, shares of hashes, times; `split` the `Split` and its query.
"""
