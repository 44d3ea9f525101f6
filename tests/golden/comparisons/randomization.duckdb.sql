-- The replicates of the randomization test, whose signs are drawn for each user.
WITH "list_metrics" AS (
  SELECT "day", "algorithm", "user", "ndcg@10", "precision(rel=4)@10"
  FROM "db"."per_list"
), "per_list_2" AS (
  /* per_list: one row per list, with its values. Columns of lists and systems are numbered */
  SELECT
    "day" AS "list_1",
    "user" AS "list_2",
    "algorithm" AS "system_1",
    "ndcg@10" AS "value_1",
    "precision(rel=4)@10" AS "value_2",
    1 AS "is_recommended"
  FROM "list_metrics"
), "metrics" AS (
  SELECT 'ndcg@10' AS "metric"
  UNION ALL
  SELECT 'precision(rel=4)@10' AS "metric"
), "paired" AS (
  /* paired: one row per metric, pair of systems and list that both systems were scored on, with both values. */
  SELECT
    "compared"."list_1" AS "list_1",
    "compared"."list_2" AS "list_2",
    "metrics"."metric",
    "baseline"."system_1" AS "baseline_1",
    "compared"."system_1" AS "system_1",
    "baseline"."is_recommended" AS "is_in_baseline",
    "compared"."is_recommended" AS "is_in_system",
    CAST(CASE
      WHEN "metrics"."metric" = 'ndcg@10'
      THEN CAST("baseline"."value_1" AS DOUBLE)
      WHEN "metrics"."metric" = 'precision(rel=4)@10'
      THEN CAST("baseline"."value_2" AS DOUBLE)
    END AS DOUBLE) AS "baseline_value",
    CAST(CASE
      WHEN "metrics"."metric" = 'ndcg@10'
      THEN CAST("compared"."value_1" AS DOUBLE)
      WHEN "metrics"."metric" = 'precision(rel=4)@10'
      THEN CAST("compared"."value_2" AS DOUBLE)
    END AS DOUBLE) AS "system_value"
  FROM "per_list_2" AS "compared"
  INNER JOIN "per_list_2" AS "baseline"
    ON "compared"."list_1" = "baseline"."list_1" AND "compared"."list_2" = "baseline"."list_2"
  CROSS JOIN "metrics"
  WHERE "baseline"."system_1" < "compared"."system_1"
), "differences" AS (
  /* differences: one row per metric, pair of systems and list, with the system's value minus the baseline's: NULL if either is undefined. */
  SELECT
    "metric",
    "baseline_1",
    "system_1",
    "list_1",
    "list_2",
    "is_in_baseline",
    "is_in_system",
    "baseline_value",
    "system_value",
    CASE
      WHEN ABS("system_value" - "baseline_value") <= CAST(1e-9 AS DOUBLE) * (
        ABS("system_value") + ABS("baseline_value")
      )
      THEN CAST(0 AS DOUBLE)
      ELSE "system_value" - "baseline_value"
    END AS "difference"
  FROM "paired"
), "centered" AS (
  /* centered: one row per difference, with the mean difference of its metric and pair of systems. */
  SELECT
    "metric",
    "baseline_1",
    "system_1",
    "list_1",
    "list_2",
    "is_in_baseline",
    "is_in_system",
    "baseline_value",
    "system_value",
    "difference",
    AVG("difference") OVER (PARTITION BY "metric", "baseline_1", "system_1") AS "mean_difference"
  FROM "differences"
), "sums" AS (
  SELECT
    "metric",
    "baseline_1",
    "system_1",
    "list_2",
    SUM("difference") AS "total",
    CAST(COUNT(*) AS DOUBLE) AS "n",
    SUM("difference" - "mean_difference") AS "deviation"
  FROM "centered"
  WHERE "difference" IS NOT NULL
  GROUP BY "metric", "baseline_1", "system_1", "list_2"
), "cluster_values" AS (
  /* cluster_values: one row per metric, pair of systems and list (or cluster of lists), with sums over its lists that have a difference. */
  SELECT
    "metric",
    "baseline_1",
    "system_1",
    "list_2",
    "total",
    "n",
    "deviation",
    "n" / SUM("n") OVER (PARTITION BY "metric", "baseline_1", "system_1") AS "share"
  FROM "sums"
), "clusters" AS (
  /* clusters: one row per list, or per cluster of lists. */
  SELECT DISTINCT "list_2"
  FROM "per_list_2" AS "per_list"
), "sign_hashes" AS (
  /* sign_hashes: one row per list (or cluster of lists) and block of 120 replicates, with a hash. */
  SELECT
    "clusters"."list_2" AS "list_2",
    "blocks"."block",
    MD5(CONCAT_WS(':', '7', CAST("blocks"."block" AS TEXT), CAST("clusters"."list_2" AS TEXT))) AS "hash"
  FROM "clusters"
  CROSS JOIN (VALUES (1), (2)) AS "blocks"("block")
), "digit_sums" AS (
  /* digit_sums: one row per metric, pair of systems, hash position and digit, with the sum of the differences of the lists with this digit. */
  SELECT
    "cluster_values"."metric" AS "metric",
    "cluster_values"."baseline_1" AS "baseline_1",
    "cluster_values"."system_1" AS "system_1",
    "sign_hashes"."block",
    "positions"."position",
    SUBSTRING("sign_hashes"."hash", "positions"."position", 1) AS "digit",
    SUM("cluster_values"."total") AS "total",
    SUM(ABS("cluster_values"."total")) AS "spread"
  FROM "cluster_values"
  INNER JOIN "sign_hashes" ON "cluster_values"."list_2" = "sign_hashes"."list_2"
  CROSS JOIN (VALUES
    (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15), (16), (17), (18), (19), (20), (21),
    (22), (23), (24), (25), (26), (27), (28), (29), (30)) AS "positions"("position")
  GROUP BY
    "cluster_values"."metric",
    "cluster_values"."baseline_1",
    "cluster_values"."system_1",
    "sign_hashes"."block",
    "positions"."position",
    SUBSTRING("sign_hashes"."hash", "positions"."position", 1)
), "bits" AS (
  SELECT 1 AS "bit", '13579bdf' AS "digits"
  UNION ALL
  SELECT 2 AS "bit", '2367abef' AS "digits"
  UNION ALL
  SELECT 3 AS "bit", '4567cdef' AS "digits"
  UNION ALL
  SELECT 4 AS "bit", '89abcdef' AS "digits"
)
/* randomized_sums: one row per metric, pair of systems and replicate, with the sum of the differences under random signs. */
SELECT
  "metric",
  "baseline_1",
  "system_1",
  (
    "block" - 1
  ) * 120 + (
    "position" - 1
  ) * 4 + "bit" AS "replicate",
  SUM(CASE WHEN STRPOS("digits", "digit") > 0 THEN "total" ELSE -"total" END) AS "total",
  SUM("total") AS "observed",
  SUM("spread") AS "spread"
FROM "digit_sums"
CROSS JOIN "bits"
GROUP BY "metric", "baseline_1", "system_1", "block", "position", "bit"
