-- The replicates of the randomization test, whose signs are drawn for each user.
WITH "LIST_METRICS" AS (
  SELECT "DAY", "ALGORITHM", "USER", "NDCG_AT_10", "PRECISION_REL_4_AT_10"
  FROM "DB"."PER_LIST"
), "PER_LIST_2" AS (
  /* per_list: one row per list, with its values. Columns of lists and systems are numbered */
  SELECT
    "DAY" AS "LIST_1",
    "USER" AS "LIST_2",
    "ALGORITHM" AS "SYSTEM_1",
    "NDCG_AT_10" AS "VALUE_1",
    "PRECISION_REL_4_AT_10" AS "VALUE_2"
  FROM "LIST_METRICS"
), "METRICS" AS (
  SELECT 'ndcg@10' AS "METRIC"
  UNION ALL
  SELECT 'precision(rel=4)@10' AS "METRIC"
), "PAIRED" AS (
  /* paired: one row per metric, pair of systems and list that both systems were scored on, with both values. */
  SELECT
    "COMPARED"."LIST_1" AS "LIST_1",
    "COMPARED"."LIST_2" AS "LIST_2",
    "METRICS"."METRIC",
    "BASELINE"."SYSTEM_1" AS "BASELINE_1",
    "COMPARED"."SYSTEM_1" AS "SYSTEM_1",
    CAST(CASE
      WHEN "METRICS"."METRIC" = 'ndcg@10'
      THEN CAST("BASELINE"."VALUE_1" AS DOUBLE)
      WHEN "METRICS"."METRIC" = 'precision(rel=4)@10'
      THEN CAST("BASELINE"."VALUE_2" AS DOUBLE)
    END AS DOUBLE) AS "BASELINE_VALUE",
    CAST(CASE
      WHEN "METRICS"."METRIC" = 'ndcg@10'
      THEN CAST("COMPARED"."VALUE_1" AS DOUBLE)
      WHEN "METRICS"."METRIC" = 'precision(rel=4)@10'
      THEN CAST("COMPARED"."VALUE_2" AS DOUBLE)
    END AS DOUBLE) AS "SYSTEM_VALUE"
  FROM "PER_LIST_2" AS "COMPARED"
  INNER JOIN "PER_LIST_2" AS "BASELINE"
    ON "COMPARED"."LIST_1" = "BASELINE"."LIST_1" AND "COMPARED"."LIST_2" = "BASELINE"."LIST_2"
  CROSS JOIN "METRICS"
  WHERE "BASELINE"."SYSTEM_1" < "COMPARED"."SYSTEM_1"
), "DIFFERENCES" AS (
  /* differences: one row per metric, pair of systems and list, with the system's value minus the baseline's: NULL if either is undefined. */
  SELECT
    "METRIC",
    "BASELINE_1",
    "SYSTEM_1",
    "LIST_1",
    "LIST_2",
    "BASELINE_VALUE",
    "SYSTEM_VALUE",
    CASE
      WHEN ABS("SYSTEM_VALUE" - "BASELINE_VALUE") <= CAST(1e-12 AS DOUBLE) * (
        ABS("SYSTEM_VALUE") + ABS("BASELINE_VALUE")
      )
      THEN CAST(0 AS DOUBLE)
      ELSE "SYSTEM_VALUE" - "BASELINE_VALUE"
    END AS "DIFFERENCE"
  FROM "PAIRED"
), "CLUSTER_VALUES" AS (
  /* cluster_values: one row per metric, pair of systems and list (or cluster of lists), with the sum of its differences. */
  SELECT "METRIC", "BASELINE_1", "SYSTEM_1", "LIST_2", SUM("DIFFERENCE") AS "TOTAL", CAST(COUNT(*) AS DOUBLE) AS "N"
  FROM "DIFFERENCES"
  WHERE "DIFFERENCE" IS NOT NULL
  GROUP BY "METRIC", "BASELINE_1", "SYSTEM_1", "LIST_2"
), "CLUSTERS" AS (
  /* clusters: one row per list, or per cluster of lists. */
  SELECT DISTINCT "LIST_2"
  FROM "PER_LIST_2" AS "PER_LIST"
), "SIGN_HASHES" AS (
  /* sign_hashes: one row per list (or cluster of lists) and block of 120 replicates, with a hash. */
  SELECT
    "CLUSTERS"."LIST_2" AS "LIST_2",
    "BLOCKS"."BLOCK",
    MD5(
      CONCAT_WS(
        ':',
        '7',
        COALESCE(CAST("BLOCKS"."BLOCK" AS VARCHAR), ''),
        COALESCE(CAST("CLUSTERS"."LIST_2" AS VARCHAR), '')
      )
    ) AS "HASH"
  FROM "CLUSTERS"
  CROSS JOIN (VALUES (1), (2)) AS "BLOCKS"("BLOCK")
), "DIGIT_SUMS" AS (
  /* digit_sums: one row per metric, pair of systems, hash position and digit, with the sum of the differences of the lists with this digit. */
  SELECT
    "CLUSTER_VALUES"."METRIC" AS "METRIC",
    "CLUSTER_VALUES"."BASELINE_1" AS "BASELINE_1",
    "CLUSTER_VALUES"."SYSTEM_1" AS "SYSTEM_1",
    "SIGN_HASHES"."BLOCK",
    "POSITIONS"."POSITION",
    SUBSTRING("SIGN_HASHES"."HASH", "POSITIONS"."POSITION", 1) AS "DIGIT",
    SUM("CLUSTER_VALUES"."TOTAL") AS "TOTAL",
    SUM(ABS("CLUSTER_VALUES"."TOTAL")) AS "SPREAD"
  FROM "CLUSTER_VALUES"
  INNER JOIN "SIGN_HASHES" ON "CLUSTER_VALUES"."LIST_2" = "SIGN_HASHES"."LIST_2"
  CROSS JOIN (VALUES
    (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15), (16), (17), (18), (19), (20), (21),
    (22), (23), (24), (25), (26), (27), (28), (29), (30)) AS "POSITIONS"("POSITION")
  GROUP BY
    "CLUSTER_VALUES"."METRIC",
    "CLUSTER_VALUES"."BASELINE_1",
    "CLUSTER_VALUES"."SYSTEM_1",
    "SIGN_HASHES"."BLOCK",
    "POSITIONS"."POSITION",
    SUBSTRING("SIGN_HASHES"."HASH", "POSITIONS"."POSITION", 1)
), "BITS" AS (
  SELECT 1 AS "BIT", '13579bdf' AS "DIGITS"
  UNION ALL
  SELECT 2 AS "BIT", '2367abef' AS "DIGITS"
  UNION ALL
  SELECT 3 AS "BIT", '4567cdef' AS "DIGITS"
  UNION ALL
  SELECT 4 AS "BIT", '89abcdef' AS "DIGITS"
)
/* randomized_sums: one row per metric, pair of systems and replicate, with the sum of the differences under random signs. */
SELECT
  "METRIC",
  "BASELINE_1",
  "SYSTEM_1",
  (
    "BLOCK" - 1
  ) * 120 + (
    "POSITION" - 1
  ) * 4 + "BIT" AS "REPLICATE",
  SUM(CASE WHEN CHARINDEX("DIGIT", "DIGITS") > 0 THEN "TOTAL" ELSE -"TOTAL" END) AS "TOTAL",
  SUM("TOTAL") AS "OBSERVED",
  SUM("SPREAD") AS "SPREAD"
FROM "DIGIT_SUMS"
CROSS JOIN "BITS"
GROUP BY "METRIC", "BASELINE_1", "SYSTEM_1", "BLOCK", "POSITION", "BIT"
