"""The Result that `evaluate` returns: its tables, notes, text and analyses.

`result`: the `Result`; `checked`: the summary, computed and checked; `notes`: the sentences below it; `document`: the
rows as JSON, with what was requested.
"""
