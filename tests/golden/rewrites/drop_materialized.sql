-- drop_materialized
WITH hits AS MATERIALIZED (SELECT 1 AS a) SELECT a FROM hits;

-- athena, bigquery, clickhouse, databricks, datafusion, mysql, polars, postgres, redshift, snowflake, spark, trino, tsql
WITH hits AS (
  SELECT 1 AS a
)
SELECT a
FROM hits;
