-- make_names_plain
SELECT userId, AVG(x) AS "ndcg@10" FROM lists GROUP BY userId;

-- athena, datafusion, postgres, redshift, trino
SELECT userid, AVG(x) AS "ndcg_at_10"
FROM lists
GROUP BY userid;

-- bigquery, databricks, mysql, spark
SELECT userId, AVG(x) AS `ndcg_at_10`
FROM lists
GROUP BY userId;

-- clickhouse
SELECT userId, AVG(x) AS "ndcg_at_10"
FROM lists
GROUP BY userId;

-- snowflake
SELECT USERID, AVG(X) AS "NDCG_AT_10"
FROM lists AS "LISTS"
GROUP BY USERID;

-- tsql
SELECT userId, AVG(x) AS [ndcg_at_10]
FROM lists
GROUP BY userId;
