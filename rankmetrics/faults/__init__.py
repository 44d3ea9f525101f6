"""Errors and warnings that only the data can cause.

`account`: the counts of the data; `faults`: the files of sql/faults as conditions over the counts; `fault_query`:
faults as a query, and as an error that the database raises; `data`: the message of each fault; refuses meaningless
data; `columns`: wrongly guessed columns, and lists in cells; `doubts`, `chance`: warnings, and the comparison of hits
with those by chance; `policies`, `rows_read`: what the policies of a query refuse; whether it reads every row of a
list.
"""
