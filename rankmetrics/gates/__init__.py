"""Gates: limits that the numbers of a result must keep, and the report of which are kept.

`options` declares the limits, as `request.py` declares the options of an evaluation. `gate` has the earlier run and the
drops since, the checks, the limits that cannot fail, and the `GateReport`.
"""
