"""The query as a dbt package: leaderboards.yml as values, the query as Jinja."""
