"""Errors and warnings that only the data can cause.

`account`: the counts of the data; `checks`: the files of sql/checks, as conditions over the counts; `messages`: what
they say; `fault_query`: faults as a query, and as an error that the database raises; `data`: refuses meaningless data;
`columns`: wrongly guessed columns, and lists in cells; `doubts`, `chance`: warnings, and the comparison of hits with
those by chance; `policies`: doubts of policies that a log is to estimate.
"""
