"""The query for warehouse jobs: as text, as a dbt package."""
