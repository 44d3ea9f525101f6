"""The query as a dbt package."""
