"""Errors and warnings that only the data can cause.

`account`: the counts of the data; `checks`: the files of sql/checks, as conditions over the counts, and what they say;
`fault_query`: faults as a query, and as an error that the database raises; `inputs`: questions to the rows of the
inputs, such as wrongly guessed columns; `doubts`, `chance`: warnings, and the comparison of hits with those by chance.
"""
