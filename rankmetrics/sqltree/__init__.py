"""SQL trees: the only code that knows how a query is put together out of nodes."""
