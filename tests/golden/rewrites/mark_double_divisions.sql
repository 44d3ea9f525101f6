-- mark_double_divisions
SELECT LN(a) / LN(b), c / d;

-- athena, mysql, snowflake, trino
SELECT LN(a) / LN(b), CAST(c AS DOUBLE) / d;

-- bigquery, clickhouse, databricks, duckdb, polars, spark
SELECT LN(a) / LN(b), c / d;

-- datafusion, postgres, redshift
SELECT LN(a) / LN(b), CAST(c AS DOUBLE PRECISION) / d;

-- sqlite
SELECT LN(a) / LN(b), CAST(c AS REAL) / d;

-- tsql
SELECT LOG(a) / LOG(b), CAST(c AS FLOAT) / d;
