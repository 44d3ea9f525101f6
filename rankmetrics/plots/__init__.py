"""Charts of a result: small tables that the engine computes, drawn with Altair."""
