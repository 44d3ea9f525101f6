"""A report of an evaluation as one HTML file: sections as values, and templates that write them."""
