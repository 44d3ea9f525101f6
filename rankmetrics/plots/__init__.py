"""Charts of a result: small tables that the engine computes, drawn with Altair.

`plots` has the charts with their metrics, numbers and colors; `files` writes chart files.
"""
