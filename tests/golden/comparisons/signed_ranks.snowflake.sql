-- The sums of the signed-rank test of all pairs of systems.
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
), "ABSOLUTE_DIFFERENCES" AS (
  SELECT
    "METRIC",
    "BASELINE_1",
    "SYSTEM_1",
    FLOOR(ABS("DIFFERENCE") * CAST(1e12 AS DOUBLE) + CAST(0.5 AS DOUBLE)) AS "MAGNITUDE",
    CASE WHEN "DIFFERENCE" > 0 THEN 1 ELSE 0 END AS "IS_HIGHER"
  FROM "DIFFERENCES"
  WHERE "DIFFERENCE" IS NOT NULL
), "MAGNITUDES" AS (
  /* magnitudes: one row per metric, pair of systems and absolute difference in units of 1e-12, with the number of lists that have it. */
  SELECT "METRIC", "BASELINE_1", "SYSTEM_1", "MAGNITUDE", COUNT(*) AS "N", SUM("IS_HIGHER") AS "N_HIGHER"
  FROM "ABSOLUTE_DIFFERENCES"
  GROUP BY "METRIC", "BASELINE_1", "SYSTEM_1", "MAGNITUDE"
), "RANKED_MAGNITUDES" AS (
  /* ranked_magnitudes: one row per metric, pair of systems and absolute difference, with the mean rank of its lists. The smallest has rank 1. */
  SELECT
    "METRIC",
    "BASELINE_1",
    "SYSTEM_1",
    "MAGNITUDE",
    CAST("N" AS DOUBLE) AS "N",
    CAST("N_HIGHER" AS DOUBLE) AS "N_HIGHER",
    CAST(SUM("N") OVER (PARTITION BY "METRIC", "BASELINE_1", "SYSTEM_1" ORDER BY "MAGNITUDE" NULLS FIRST) AS DOUBLE) - (
      CAST("N" AS DOUBLE) - 1
    ) / CAST(2 AS DOUBLE) AS "MEAN_RANK"
  FROM "MAGNITUDES"
)
/* signed_rank_sums: one row per metric and pair of systems, with the sums that Wilcoxon's signed-rank test needs. */
SELECT
  "METRIC",
  "BASELINE_1",
  "SYSTEM_1",
  SUM("N") AS "N",
  SUM(CASE WHEN "MAGNITUDE" = 0 THEN "N" ELSE CAST(0 AS DOUBLE) END) AS "N_ZERO",
  SUM(CASE WHEN "MAGNITUDE" > 0 THEN "MEAN_RANK" * "N_HIGHER" ELSE CAST(0 AS DOUBLE) END) AS "RANK_SUM_HIGHER",
  SUM(CASE WHEN "MAGNITUDE" > 0 THEN "MEAN_RANK" * (
    "N" - "N_HIGHER"
  ) ELSE CAST(0 AS DOUBLE) END) AS "RANK_SUM_LOWER",
  SUM(CASE WHEN "MAGNITUDE" > 0 THEN "N" * (
    "N" * "N" - 1
  ) ELSE CAST(0 AS DOUBLE) END) AS "TIED"
FROM "RANKED_MAGNITUDES"
GROUP BY "METRIC", "BASELINE_1", "SYSTEM_1"
