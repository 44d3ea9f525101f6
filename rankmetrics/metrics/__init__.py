"""Metrics: the files of sql/, their labels, parameters, and other libraries' conventions."""
