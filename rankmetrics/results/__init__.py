"""The Result that `evaluate` returns: its tables, notes, text and analyses."""
