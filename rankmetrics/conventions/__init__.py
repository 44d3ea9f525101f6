"""A metric under the conventions of other libraries, compared."""
