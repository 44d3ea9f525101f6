-- What differs from another system's lists.
-- unexpectedness@10, serendipity@10, rbo@10
WITH "RANKED" AS (
  /* ranked: every recommendation with its rank; rows with a NULL id are left out. */
  SELECT
    "ALGORITHM",
    "USER",
    "ITEM",
    CAST("RANK" AS BIGINT) AS "RANK"
  FROM "DB"."RECS"
  WHERE
    "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "RECOMMENDED" AS (
  /* recommended: the recommendations down to the largest cutoff. */
  SELECT
    "ALGORITHM",
    "USER",
    "ITEM",
    "RANK"
  FROM "RANKED"
  WHERE
    "RANK" <= 10
), "RECOMMENDED_PER_LIST" AS (
  /* recommended_per_list: aggregates over the rows of recommended, for each list */
  SELECT
    "ALGORITHM",
    "USER",
    COUNT(CASE WHEN "RANK" <= 10 THEN 1 END) AS "N_RECOMMENDED_AT_10"
  FROM "RECOMMENDED"
  GROUP BY
    "ALGORITHM",
    "USER"
), "RANKED_BASELINE" AS (
  /* ranked_baseline: every row of the baseline with its rank; rows with a NULL id are left out. */
  SELECT
    "USER",
    "ITEM",
    CAST("RANK" AS BIGINT) AS "RANK"
  FROM "DB"."BASELINE"
  WHERE
    "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "BASELINE_TOP_ITEMS" AS (
  /* baseline_top_items: the items of each list of the baseline down to the largest cutoff, each once, with its best rank. */
  SELECT
    "USER",
    "ITEM",
    MIN("RANK") AS "RANK"
  FROM "RANKED_BASELINE"
  WHERE
    "RANK" <= 10
  GROUP BY
    "USER",
    "ITEM"
), "BASELINE_TOP_ITEMS_PER_LIST" AS (
  /* baseline_top_items_per_list: aggregates over the rows of baseline_top_items, for each list */
  SELECT
    "USER",
    COUNT(CASE WHEN "RANK" <= 10 THEN 1 END) AS "N_BASELINE_AT_10"
  FROM "BASELINE_TOP_ITEMS"
  GROUP BY
    "USER"
), "RECOMMENDED_IN_BASELINE" AS (
  /* recommended_in_baseline: the recommendations whose item is also in the baseline, with the larger of its two ranks. */
  SELECT
    "RECOMMENDED"."ALGORITHM" AS "ALGORITHM",
    "RECOMMENDED"."USER" AS "USER",
    GREATEST_IGNORE_NULLS("RECOMMENDED"."RANK", "BASELINE_TOP_ITEMS"."RANK") AS "RANK"
  FROM "RECOMMENDED"
  JOIN "BASELINE_TOP_ITEMS"
    ON "RECOMMENDED"."USER" = "BASELINE_TOP_ITEMS"."USER"
    AND "RECOMMENDED"."ITEM" = "BASELINE_TOP_ITEMS"."ITEM"
), "RECOMMENDED_IN_BASELINE_PER_LIST" AS (
  /* recommended_in_baseline_per_list: aggregates over the rows of recommended_in_baseline, for each list */
  SELECT
    "ALGORITHM",
    "USER",
    COUNT(CASE WHEN "RANK" <= 10 THEN 1 END) AS "N_IN_BASELINE_AT_10"
  FROM "RECOMMENDED_IN_BASELINE"
  GROUP BY
    "ALGORITHM",
    "USER"
), "JUDGMENTS" AS (
  /* judgments: the rows of the truth; a missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    "USER",
    "ITEM",
    CAST(1 AS DOUBLE) AS "RATING"
  FROM "DB"."TRUTH"
  WHERE
    "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "RELEVANT" AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT
    "USER",
    "ITEM"
  FROM "JUDGMENTS"
  WHERE
    "RATING" > 0
), "MATCHES" AS (
  /* matches: the recommendations of relevant items. */
  SELECT
    "RECOMMENDED"."ALGORITHM" AS "ALGORITHM",
    "RECOMMENDED"."USER" AS "USER",
    "RECOMMENDED"."ITEM",
    "RECOMMENDED"."RANK"
  FROM "RECOMMENDED"
  JOIN "RELEVANT"
    ON "RECOMMENDED"."USER" = "RELEVANT"."USER" AND "RECOMMENDED"."ITEM" = "RELEVANT"."ITEM"
), "UNNUMBERED_HITS" AS (
  /* unnumbered_hits: the relevant items that were recommended, each once, with its best rank and its highest rating. */
  SELECT
    "ALGORITHM",
    "USER",
    "ITEM",
    MIN("RANK") AS "RANK"
  FROM "MATCHES"
  GROUP BY
    "ALGORITHM",
    "USER",
    "ITEM"
), "HITS_PER_LIST" AS (
  /* hits_per_list: aggregates over the rows of unnumbered_hits, for each list */
  SELECT
    "ALGORITHM",
    "USER",
    COUNT(CASE WHEN "RANK" <= 10 THEN 1 END) AS "N_HITS_AT_10"
  FROM "UNNUMBERED_HITS"
  GROUP BY
    "ALGORITHM",
    "USER"
), "HITS_IN_BASELINE" AS (
  /* hits_in_baseline: the hits whose item is also in the baseline, with the larger of its two ranks. */
  SELECT
    "UNNUMBERED_HITS"."ALGORITHM" AS "ALGORITHM",
    "UNNUMBERED_HITS"."USER" AS "USER",
    GREATEST_IGNORE_NULLS("UNNUMBERED_HITS"."RANK", "BASELINE_TOP_ITEMS"."RANK") AS "RANK"
  FROM "UNNUMBERED_HITS"
  JOIN "BASELINE_TOP_ITEMS"
    ON "UNNUMBERED_HITS"."USER" = "BASELINE_TOP_ITEMS"."USER"
    AND "UNNUMBERED_HITS"."ITEM" = "BASELINE_TOP_ITEMS"."ITEM"
), "HITS_IN_BASELINE_PER_LIST" AS (
  /* hits_in_baseline_per_list: aggregates over the rows of hits_in_baseline, for each list */
  SELECT
    "ALGORITHM",
    "USER",
    COUNT(CASE WHEN "RANK" <= 10 THEN 1 END) AS "N_HITS_IN_BASELINE_AT_10"
  FROM "HITS_IN_BASELINE"
  GROUP BY
    "ALGORITHM",
    "USER"
), "OVERLAP" AS (
  /* overlap: the items that a list and its baseline share, each once, with the larger of its two ranks. */
  SELECT
    "RECOMMENDED"."ALGORITHM" AS "ALGORITHM",
    "RECOMMENDED"."USER" AS "USER",
    GREATEST_IGNORE_NULLS(MIN("RECOMMENDED"."RANK"), MIN("BASELINE_TOP_ITEMS"."RANK")) AS "RANK"
  FROM "RECOMMENDED"
  JOIN "BASELINE_TOP_ITEMS"
    ON "RECOMMENDED"."USER" = "BASELINE_TOP_ITEMS"."USER"
    AND "RECOMMENDED"."ITEM" = "BASELINE_TOP_ITEMS"."ITEM"
  GROUP BY
    "RECOMMENDED"."ALGORITHM",
    "RECOMMENDED"."USER",
    "RECOMMENDED"."ITEM"
), "POSITIONS" AS (
  /* positions: the ranks from 1 to the largest cutoff. */
  SELECT
    "RANK"
  FROM (VALUES
    (1),
    (2),
    (3),
    (4),
    (5),
    (6),
    (7),
    (8),
    (9),
    (10)) AS "POSITIONS"("RANK")
), "OVERLAP_BY_POSITION" AS (
  /* overlap_by_position: each shared item, repeated for every rank from its own to the largest cutoff. */
  SELECT
    "OVERLAP"."ALGORITHM" AS "ALGORITHM",
    "OVERLAP"."USER" AS "USER",
    "POSITIONS"."RANK"
  FROM "OVERLAP"
  JOIN "POSITIONS"
    ON "OVERLAP"."RANK" <= "POSITIONS"."RANK"
), "OVERLAP_BY_POSITION_PER_LIST" AS (
  /* overlap_by_position_per_list: aggregates over the rows of overlap_by_position, for each list */
  SELECT
    "ALGORITHM",
    "USER",
    SUM(CASE WHEN "RANK" <= 10 THEN CAST(POWER(CAST(0.85 AS DOUBLE), "RANK" - 1) AS DOUBLE) / "RANK" END) AS "AGREEMENTS_AT_10"
  FROM "OVERLAP_BY_POSITION"
  GROUP BY
    "ALGORITHM",
    "USER"
), "TRUTH_LISTS" AS (
  /* truth_lists: the lists of the truth. */
  SELECT DISTINCT
    "USER"
  FROM "JUDGMENTS"
), "SYSTEMS" AS (
  /* systems: the compared systems: the distinct values of the list columns that only the recommendations have. */
  SELECT DISTINCT
    "ALGORITHM"
  FROM "DB"."RECS"
  WHERE
    "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
), "LISTS" AS (
  /* lists: the lists that the means are taken over: every list of the truth, for every system. */
  SELECT
    "TRUTH_LISTS"."USER" AS "USER",
    "SYSTEMS"."ALGORITHM" AS "ALGORITHM"
  FROM "TRUTH_LISTS"
  CROSS JOIN "SYSTEMS"
), "MEASURED" AS (
  /* measured: one row per list, with the aggregates that its metrics need */
  SELECT
    "LISTS"."ALGORITHM",
    "LISTS"."USER",
    COALESCE("RECOMMENDED_PER_LIST"."N_RECOMMENDED_AT_10", 0) AS "N_RECOMMENDED_AT_10",
    COALESCE("BASELINE_TOP_ITEMS_PER_LIST"."N_BASELINE_AT_10", 0) AS "N_BASELINE_AT_10",
    COALESCE("RECOMMENDED_IN_BASELINE_PER_LIST"."N_IN_BASELINE_AT_10", 0) AS "N_IN_BASELINE_AT_10",
    COALESCE("HITS_PER_LIST"."N_HITS_AT_10", 0) AS "N_HITS_AT_10",
    COALESCE("HITS_IN_BASELINE_PER_LIST"."N_HITS_IN_BASELINE_AT_10", 0) AS "N_HITS_IN_BASELINE_AT_10",
    COALESCE("OVERLAP_BY_POSITION_PER_LIST"."AGREEMENTS_AT_10", 0) AS "AGREEMENTS_AT_10"
  FROM "LISTS"
  LEFT JOIN "RECOMMENDED_PER_LIST"
    ON "LISTS"."ALGORITHM" = "RECOMMENDED_PER_LIST"."ALGORITHM"
    AND "LISTS"."USER" = "RECOMMENDED_PER_LIST"."USER"
  LEFT JOIN "BASELINE_TOP_ITEMS_PER_LIST"
    ON "LISTS"."USER" = "BASELINE_TOP_ITEMS_PER_LIST"."USER"
  LEFT JOIN "RECOMMENDED_IN_BASELINE_PER_LIST"
    ON "LISTS"."ALGORITHM" = "RECOMMENDED_IN_BASELINE_PER_LIST"."ALGORITHM"
    AND "LISTS"."USER" = "RECOMMENDED_IN_BASELINE_PER_LIST"."USER"
  LEFT JOIN "HITS_PER_LIST"
    ON "LISTS"."ALGORITHM" = "HITS_PER_LIST"."ALGORITHM" AND "LISTS"."USER" = "HITS_PER_LIST"."USER"
  LEFT JOIN "HITS_IN_BASELINE_PER_LIST"
    ON "LISTS"."ALGORITHM" = "HITS_IN_BASELINE_PER_LIST"."ALGORITHM"
    AND "LISTS"."USER" = "HITS_IN_BASELINE_PER_LIST"."USER"
  LEFT JOIN "OVERLAP_BY_POSITION_PER_LIST"
    ON "LISTS"."ALGORITHM" = "OVERLAP_BY_POSITION_PER_LIST"."ALGORITHM"
    AND "LISTS"."USER" = "OVERLAP_BY_POSITION_PER_LIST"."USER"
), "PER_LIST" AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    "ALGORITHM",
    "USER",
    CASE
      WHEN "N_RECOMMENDED_AT_10" > 0 AND "N_BASELINE_AT_10" > 0
      THEN 1 - "N_IN_BASELINE_AT_10" / CAST("N_RECOMMENDED_AT_10" AS DOUBLE)
      ELSE NULL
    END AS "UNEXPECTEDNESS_AT_10",
    CASE
      WHEN "N_BASELINE_AT_10" > 0
      THEN (
        "N_HITS_AT_10" - "N_HITS_IN_BASELINE_AT_10"
      ) / CAST(NULLIF("N_RECOMMENDED_AT_10", 0) AS DOUBLE)
    END AS "SERENDIPITY_AT_10",
    CASE
      WHEN "N_RECOMMENDED_AT_10" > 0 AND "N_BASELINE_AT_10" > 0
      THEN "AGREEMENTS_AT_10" * (
        1 - CAST(0.85 AS DOUBLE)
      ) / (
        1 - POWER(CAST(0.85 AS DOUBLE), 10)
      )
    END AS "RBO_AT_10"
  FROM "MEASURED"
)
SELECT
  "ALGORITHM",
  COUNT(*) AS "N_LISTS",
  AVG(CAST("UNEXPECTEDNESS_AT_10" AS DOUBLE)) AS "UNEXPECTEDNESS_AT_10",
  AVG(CAST("SERENDIPITY_AT_10" AS DOUBLE)) AS "SERENDIPITY_AT_10",
  AVG(CAST("RBO_AT_10" AS DOUBLE)) AS "RBO_AT_10"
FROM "PER_LIST"
GROUP BY
  "ALGORITHM"
ORDER BY
  "ALGORITHM"
