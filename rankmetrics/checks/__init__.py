"""What is refused, and what is warned of, once the data is seen."""
