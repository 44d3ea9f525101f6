-- The sums of the signed-rank test of all pairs of systems.
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
), "absolute_differences" AS (
  SELECT
    "metric",
    "baseline_1",
    "system_1",
    FLOOR(ABS("difference") * CAST(1e12 AS DOUBLE) + CAST(0.5 AS DOUBLE)) AS "magnitude",
    CASE WHEN "difference" > 0 THEN 1 ELSE 0 END AS "is_higher"
  FROM "differences"
  WHERE "difference" IS NOT NULL
), "magnitudes" AS (
  /* magnitudes: one row per metric, pair of systems and absolute difference in units of 1e-12, with the number of lists that have it. */
  SELECT "metric", "baseline_1", "system_1", "magnitude", COUNT(*) AS "n", SUM("is_higher") AS "n_higher"
  FROM "absolute_differences"
  GROUP BY "metric", "baseline_1", "system_1", "magnitude"
), "ranked_magnitudes" AS (
  /* ranked_magnitudes: one row per metric, pair of systems and absolute difference, with the mean rank of its lists. The smallest has rank 1. */
  SELECT
    "metric",
    "baseline_1",
    "system_1",
    "magnitude",
    CAST("n" AS DOUBLE) AS "n",
    CAST("n_higher" AS DOUBLE) AS "n_higher",
    CAST(SUM("n") OVER (PARTITION BY "metric", "baseline_1", "system_1" ORDER BY "magnitude" NULLS FIRST) AS DOUBLE) - (
      CAST("n" AS DOUBLE) - 1
    ) / CAST(2 AS DOUBLE) AS "mean_rank"
  FROM "magnitudes"
)
/* signed_rank_sums: one row per metric and pair of systems, with the sums that Wilcoxon's signed-rank test needs. */
SELECT
  "metric",
  "baseline_1",
  "system_1",
  SUM("n") AS "n",
  SUM(CASE WHEN "magnitude" = 0 THEN "n" ELSE CAST(0 AS DOUBLE) END) AS "n_zero",
  SUM(CASE WHEN "magnitude" > 0 THEN "mean_rank" * "n_higher" ELSE CAST(0 AS DOUBLE) END) AS "rank_sum_higher",
  SUM(CASE WHEN "magnitude" > 0 THEN "mean_rank" * (
    "n" - "n_higher"
  ) ELSE CAST(0 AS DOUBLE) END) AS "rank_sum_lower",
  SUM(CASE WHEN "magnitude" > 0 THEN "n" * (
    "n" * "n" - 1
  ) ELSE CAST(0 AS DOUBLE) END) AS "tied"
FROM "ranked_magnitudes"
GROUP BY "metric", "baseline_1", "system_1"
