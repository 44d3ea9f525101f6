-- What differs from another system's lists.
-- unexpectedness@10, serendipity@10, rbo@10
-- Written by rankmetrics 0.1.0 for recommendations DB.RECS, truth DB.TRUTH, baseline DB.BASELINE, a list for each ALGORITHM, USER.
-- unexpectedness@10: share of the first k recommendations that are not among the first k of the baseline.
-- serendipity@10: share of the first k recommendations that are relevant and not among the first k of the baseline.
-- rbo@10: rank-biased overlap of the first k recommendations with the first k of the baseline: mean of the overlap at each depth d, weighted by p^(d - 1).
WITH "RECOMMENDED_PER_LIST" AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "ALGORITHM", "USER", COUNT(*) AS "N_RECOMMENDED_AT_10"
  FROM "DB"."RECS"
  WHERE "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL AND "ITEM" IS NOT NULL AND "RANK" <= 10
  GROUP BY "ALGORITHM", "USER"
), "BASELINE_TOP_ITEMS" AS (
  /* baseline_top_items: one row per list of the baseline and item down to the largest cutoff, with the best rank of the item. */
  SELECT "USER", "ITEM", MIN(CAST("RANK" AS BIGINT)) AS "RANK"
  FROM "DB"."BASELINE"
  WHERE "USER" IS NOT NULL AND "ITEM" IS NOT NULL AND "RANK" <= 10
  GROUP BY "USER", "ITEM"
), "BASELINE_TOP_ITEMS_PER_LIST" AS (
  /* baseline_top_items_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT "USER", COUNT(*) AS "N_BASELINE_AT_10"
  FROM "BASELINE_TOP_ITEMS"
  GROUP BY "USER"
), "RECOMMENDED_IN_BASELINE_PER_LIST" AS (
  /* recommended_in_baseline_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "RECS"."ALGORITHM",
    "RECS"."USER",
    COUNT(
      CASE
        WHEN GREATEST_IGNORE_NULLS(CAST("RECS"."RANK" AS BIGINT), "BASELINE_TOP_ITEMS"."RANK") <= 10
        THEN 1
      END
    ) AS "N_IN_BASELINE_AT_10"
  FROM "DB"."RECS"
  JOIN "BASELINE_TOP_ITEMS"
    ON "RECS"."USER" = "BASELINE_TOP_ITEMS"."USER" AND "RECS"."ITEM" = "BASELINE_TOP_ITEMS"."ITEM"
  WHERE "RECS"."ALGORITHM" IS NOT NULL AND "RECS"."RANK" <= 10
  GROUP BY "RECS"."ALGORITHM", "RECS"."USER"
), "UNNUMBERED_HITS" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "RECS"."ALGORITHM", "RECS"."USER", "RECS"."ITEM" AS "ITEM", MIN(CAST("RECS"."RANK" AS BIGINT)) AS "RANK"
  FROM "DB"."RECS"
  JOIN "DB"."TRUTH" ON "RECS"."USER" = "TRUTH"."USER" AND "RECS"."ITEM" = "TRUTH"."ITEM"
  WHERE "RECS"."ALGORITHM" IS NOT NULL AND "RECS"."RANK" <= 10
  GROUP BY "RECS"."ALGORITHM", "RECS"."USER", "RECS"."ITEM"
), "HITS_PER_LIST" AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "ALGORITHM", "USER", COUNT(*) AS "N_HITS_AT_10"
  FROM "UNNUMBERED_HITS"
  GROUP BY "ALGORITHM", "USER"
), "HITS_IN_BASELINE_PER_LIST" AS (
  /* hits_in_baseline_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "UNNUMBERED_HITS"."ALGORITHM",
    "UNNUMBERED_HITS"."USER",
    COUNT(
      CASE WHEN GREATEST_IGNORE_NULLS("UNNUMBERED_HITS"."RANK", "BASELINE_TOP_ITEMS"."RANK") <= 10 THEN 1 END
    ) AS "N_HITS_IN_BASELINE_AT_10"
  FROM "UNNUMBERED_HITS"
  JOIN "BASELINE_TOP_ITEMS"
    ON "UNNUMBERED_HITS"."USER" = "BASELINE_TOP_ITEMS"."USER"
    AND "UNNUMBERED_HITS"."ITEM" = "BASELINE_TOP_ITEMS"."ITEM"
  GROUP BY "UNNUMBERED_HITS"."ALGORITHM", "UNNUMBERED_HITS"."USER"
), "OVERLAP" AS (
  /* overlap: one row per list and item that its baseline has too, with the larger of the item's two ranks. */
  SELECT
    "RECS"."ALGORITHM" AS "ALGORITHM",
    "RECS"."USER" AS "USER",
    GREATEST_IGNORE_NULLS(MIN(CAST("RECS"."RANK" AS BIGINT)), MIN("BASELINE_TOP_ITEMS"."RANK")) AS "RANK"
  FROM "DB"."RECS"
  JOIN "BASELINE_TOP_ITEMS"
    ON "RECS"."USER" = "BASELINE_TOP_ITEMS"."USER" AND "RECS"."ITEM" = "BASELINE_TOP_ITEMS"."ITEM"
  WHERE "RECS"."ALGORITHM" IS NOT NULL AND "RECS"."RANK" <= 10
  GROUP BY "RECS"."ALGORITHM", "RECS"."USER", "RECS"."ITEM"
), "OVERLAP_BY_POSITION_PER_LIST" AS (
  /* overlap_by_position_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "OVERLAP"."ALGORITHM",
    "OVERLAP"."USER",
    SUM(CAST(POWER(CAST(0.85 AS DOUBLE), "POSITIONS"."RANK" - 1) AS DOUBLE) / "POSITIONS"."RANK") AS "AGREEMENTS_AT_10"
  FROM "OVERLAP"
  JOIN (VALUES
    (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) AS "POSITIONS"("RANK") ON "OVERLAP"."RANK" <= "POSITIONS"."RANK"
  GROUP BY "OVERLAP"."ALGORITHM", "OVERLAP"."USER"
), "TRUTH_LISTS" AS (
  /* truth_lists: one row per truth list. */
  SELECT DISTINCT "USER"
  FROM "DB"."TRUTH"
  WHERE "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "SYSTEMS" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "ALGORITHM"
  FROM "DB"."RECS"
  WHERE "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
), "MEASURED" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "SYSTEMS"."ALGORITHM",
    "TRUTH_LISTS"."USER",
    COALESCE("RECOMMENDED_PER_LIST"."N_RECOMMENDED_AT_10", 0) AS "N_RECOMMENDED_AT_10",
    COALESCE("BASELINE_TOP_ITEMS_PER_LIST"."N_BASELINE_AT_10", 0) AS "N_BASELINE_AT_10",
    COALESCE("RECOMMENDED_IN_BASELINE_PER_LIST"."N_IN_BASELINE_AT_10", 0) AS "N_IN_BASELINE_AT_10",
    COALESCE("HITS_PER_LIST"."N_HITS_AT_10", 0) AS "N_HITS_AT_10",
    COALESCE("HITS_IN_BASELINE_PER_LIST"."N_HITS_IN_BASELINE_AT_10", 0) AS "N_HITS_IN_BASELINE_AT_10",
    COALESCE("OVERLAP_BY_POSITION_PER_LIST"."AGREEMENTS_AT_10", 0) AS "AGREEMENTS_AT_10"
  FROM "TRUTH_LISTS"
  CROSS JOIN "SYSTEMS"
  LEFT JOIN "RECOMMENDED_PER_LIST"
    ON "SYSTEMS"."ALGORITHM" = "RECOMMENDED_PER_LIST"."ALGORITHM"
    AND "TRUTH_LISTS"."USER" = "RECOMMENDED_PER_LIST"."USER"
  LEFT JOIN "BASELINE_TOP_ITEMS_PER_LIST" ON "TRUTH_LISTS"."USER" = "BASELINE_TOP_ITEMS_PER_LIST"."USER"
  LEFT JOIN "RECOMMENDED_IN_BASELINE_PER_LIST"
    ON "SYSTEMS"."ALGORITHM" = "RECOMMENDED_IN_BASELINE_PER_LIST"."ALGORITHM"
    AND "TRUTH_LISTS"."USER" = "RECOMMENDED_IN_BASELINE_PER_LIST"."USER"
  LEFT JOIN "HITS_PER_LIST"
    ON "SYSTEMS"."ALGORITHM" = "HITS_PER_LIST"."ALGORITHM" AND "TRUTH_LISTS"."USER" = "HITS_PER_LIST"."USER"
  LEFT JOIN "HITS_IN_BASELINE_PER_LIST"
    ON "SYSTEMS"."ALGORITHM" = "HITS_IN_BASELINE_PER_LIST"."ALGORITHM"
    AND "TRUTH_LISTS"."USER" = "HITS_IN_BASELINE_PER_LIST"."USER"
  LEFT JOIN "OVERLAP_BY_POSITION_PER_LIST"
    ON "SYSTEMS"."ALGORITHM" = "OVERLAP_BY_POSITION_PER_LIST"."ALGORITHM"
    AND "TRUTH_LISTS"."USER" = "OVERLAP_BY_POSITION_PER_LIST"."USER"
)
SELECT
  "ALGORITHM",
  COUNT(*) AS "N_LISTS",
  AVG(
    CAST(CASE
      WHEN "N_RECOMMENDED_AT_10" > 0 AND "N_BASELINE_AT_10" > 0
      THEN 1 - "N_IN_BASELINE_AT_10" / CAST("N_RECOMMENDED_AT_10" AS DOUBLE)
      ELSE NULL
    END AS DOUBLE)
  ) AS "UNEXPECTEDNESS_AT_10",
  AVG(
    CAST(CASE
      WHEN "N_BASELINE_AT_10" > 0
      THEN (
        "N_HITS_AT_10" - "N_HITS_IN_BASELINE_AT_10"
      ) / CAST(NULLIF("N_RECOMMENDED_AT_10", 0) AS DOUBLE)
    END AS DOUBLE)
  ) AS "SERENDIPITY_AT_10",
  AVG(
    CAST(CASE
      WHEN "N_RECOMMENDED_AT_10" > 0 AND "N_BASELINE_AT_10" > 0
      THEN "AGREEMENTS_AT_10" * (
        1 - CAST(0.85 AS DOUBLE)
      ) / (
        1 - POWER(CAST(0.85 AS DOUBLE), 10)
      )
    END AS DOUBLE)
  ) AS "RBO_AT_10"
FROM "MEASURED"
GROUP BY "ALGORITHM"
ORDER BY "ALGORITHM"
