-- The sums of a paired t-test of all systems against a baseline, each day apart.
WITH "LIST_METRICS" AS (
  SELECT "DAY", "ALGORITHM", "USER", "NDCG_AT_10", "PRECISION_REL_4_AT_10"
  FROM "DB"."PER_LIST"
), "PER_LIST_2" AS (
  /* per_list: one row per list, with its values. Columns of lists and systems are numbered */
  SELECT
    "DAY" AS "BY_1",
    "USER" AS "LIST_1",
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
    "COMPARED"."BY_1" AS "BY_1",
    "COMPARED"."LIST_1" AS "LIST_1",
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
    ON "COMPARED"."BY_1" = "BASELINE"."BY_1" AND "COMPARED"."LIST_1" = "BASELINE"."LIST_1"
  CROSS JOIN "METRICS"
  WHERE "BASELINE"."SYSTEM_1" = 'ItemKNN' AND "COMPARED"."SYSTEM_1" <> 'ItemKNN'
), "DIFFERENCES" AS (
  /* differences: one row per metric, pair of systems and list, with the system's value minus the baseline's: NULL if either is undefined. */
  SELECT
    "BY_1",
    "METRIC",
    "BASELINE_1",
    "SYSTEM_1",
    "LIST_1",
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
), "CENTERED" AS (
  /* centered: one row per difference, with the mean difference of its metric and pair of systems. */
  SELECT
    "BY_1",
    "METRIC",
    "BASELINE_1",
    "SYSTEM_1",
    "LIST_1",
    "BASELINE_VALUE",
    "SYSTEM_VALUE",
    "DIFFERENCE",
    AVG("DIFFERENCE") OVER (PARTITION BY "BY_1", "METRIC", "BASELINE_1", "SYSTEM_1") AS "MEAN_DIFFERENCE"
  FROM "DIFFERENCES"
)
/* moments: one row per metric and pair of systems, with the number of lists, and the sums that a paired t-test needs. */
SELECT
  "BY_1",
  "METRIC",
  "BASELINE_1",
  "SYSTEM_1",
  COUNT("DIFFERENCE") AS "N_LISTS",
  COUNT(*) - COUNT("DIFFERENCE") AS "N_UNDEFINED",
  AVG(CASE WHEN "DIFFERENCE" IS NOT NULL THEN "BASELINE_VALUE" END) AS "BASELINE_MEAN",
  AVG(CASE WHEN "DIFFERENCE" IS NOT NULL THEN "SYSTEM_VALUE" END) AS "SYSTEM_MEAN",
  AVG("DIFFERENCE") AS "DIFFERENCE",
  SUM((
    "DIFFERENCE" - "MEAN_DIFFERENCE"
  ) * (
    "DIFFERENCE" - "MEAN_DIFFERENCE"
  )) AS "SUM_OF_SQUARES",
  SUM(CASE WHEN "DIFFERENCE" > 0 THEN 1 ELSE 0 END) AS "N_HIGHER",
  SUM(CASE WHEN "DIFFERENCE" = 0 THEN 1 ELSE 0 END) AS "N_EQUAL",
  SUM(CASE WHEN "DIFFERENCE" < 0 THEN 1 ELSE 0 END) AS "N_LOWER"
FROM "CENTERED"
GROUP BY "BY_1", "METRIC", "BASELINE_1", "SYSTEM_1"
