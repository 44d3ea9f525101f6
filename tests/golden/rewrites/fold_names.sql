-- fold_names
SELECT userId, AVG(x) AS ndcg_at_10 FROM lists GROUP BY userId;

-- athena, datafusion, postgres, redshift, trino
SELECT userid, AVG(x) AS ndcg_at_10
FROM lists
GROUP BY userid;

-- snowflake
SELECT USERID, AVG(X) AS NDCG_AT_10
FROM lists AS "LISTS"
GROUP BY USERID;
