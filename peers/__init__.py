"""Other libraries: what they return, and what they cost. No test runs them; README.md says how to."""
