-- The sums of a paired t-test of all systems against a baseline, each day apart.
WITH "list_metrics" AS (
  SELECT "day", "algorithm", "user", "ndcg@10", "precision(rel=4)@10"
  FROM "db"."per_list"
), "per_list_2" AS (
  /* per_list: one row per list, with its values. Columns of lists and systems are numbered */
  SELECT
    "day" AS "by_1",
    "user" AS "list_1",
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
    "compared"."by_1" AS "by_1",
    "compared"."list_1" AS "list_1",
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
    ON "compared"."by_1" = "baseline"."by_1" AND "compared"."list_1" = "baseline"."list_1"
  CROSS JOIN "metrics"
  WHERE "baseline"."system_1" = 'ItemKNN' AND "compared"."system_1" <> 'ItemKNN'
), "differences" AS (
  /* differences: one row per metric, pair of systems and list, with the system's value minus the baseline's: NULL if either is undefined. */
  SELECT
    "by_1",
    "metric",
    "baseline_1",
    "system_1",
    "list_1",
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
    "by_1",
    "metric",
    "baseline_1",
    "system_1",
    "list_1",
    "is_in_baseline",
    "is_in_system",
    "baseline_value",
    "system_value",
    "difference",
    AVG("difference") OVER (PARTITION BY "by_1", "metric", "baseline_1", "system_1") AS "mean_difference"
  FROM "differences"
)
/* moments: one row per metric and pair of systems, with the number of lists, and the sums that a paired t-test needs. */
SELECT
  "by_1",
  "metric",
  "baseline_1",
  "system_1",
  COUNT("difference") AS "n_lists",
  COUNT(*) - COUNT("difference") AS "n_undefined",
  AVG(CASE WHEN "difference" IS NOT NULL THEN "baseline_value" END) AS "baseline_mean",
  AVG(CASE WHEN "difference" IS NOT NULL THEN "system_value" END) AS "system_mean",
  AVG("difference") AS "difference",
  SUM((
    "difference" - "mean_difference"
  ) * (
    "difference" - "mean_difference"
  )) AS "sum_of_squares",
  SUM("is_in_baseline") AS "n_baseline_lists",
  SUM("is_in_system") AS "n_system_lists",
  SUM("is_in_baseline" * "is_in_system") AS "n_common_lists",
  AVG(CASE WHEN "is_in_baseline" * "is_in_system" = 1 THEN "difference" END) AS "common_difference",
  SUM(CASE WHEN "difference" > 0 THEN 1 ELSE 0 END) AS "n_higher",
  SUM(CASE WHEN "difference" = 0 THEN 1 ELSE 0 END) AS "n_equal",
  SUM(CASE WHEN "difference" < 0 THEN 1 ELSE 0 END) AS "n_lower"
FROM "centered"
GROUP BY "by_1", "metric", "baseline_1", "system_1"
