-- List columns called as parts of the query are, lists of the recommendations only.
-- hit@5, auc
-- Written by rankmetrics 0.1.0 for recommendations DB.RECS, truth DB.TRUTH, a list for each RANK, HITS, ORDER.
-- hit@5: 1 if a relevant item is among the first k recommendations, else 0. Its mean over lists is the hit rate.
-- auc: area under the ROC curve within the list: share of the pairs of a hit and a miss in which the hit ranks higher.
WITH "RECOMMENDED_LISTS" AS (
  /* recommended_lists: one row per list of the recommendations. */
  SELECT DISTINCT "RANK" AS "LIST_RANK", "HITS", "ORDER"
  FROM "DB"."RECS"
  WHERE "RANK" IS NOT NULL AND "HITS" IS NOT NULL AND "ORDER" IS NOT NULL
), "RECOMMENDED_TRUTH_LISTS" AS (
  /* recommended_truth_lists: one row per combination of the truth's list columns that has recommendations. */
  SELECT DISTINCT "HITS"
  FROM "RECOMMENDED_LISTS"
), "JUDGMENTS" AS (
  /* judgments: the rows of the truth, only for lists that have recommendations. A missing rating counts as 1. */
  SELECT "TRUTH"."HITS" AS "HITS", "TRUTH"."ITEM_ID" AS "ITEM", CAST(1 AS DOUBLE) AS "RATING"
  FROM "DB"."TRUTH"
  JOIN "RECOMMENDED_TRUTH_LISTS" ON "TRUTH"."HITS" = "RECOMMENDED_TRUTH_LISTS"."HITS"
  WHERE "TRUTH"."ITEM_ID" IS NOT NULL
), "RELEVANT_COUNTS" AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "HITS", COUNT(DISTINCT "ITEM") AS "N_RELEVANT"
  FROM "JUDGMENTS"
  GROUP BY "HITS"
), "RANKED" AS (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT
    "RANK" AS "LIST_RANK",
    "HITS",
    "ORDER",
    "ITEM_ID" AS "ITEM",
    ROW_NUMBER() OVER (
      PARTITION BY "RANK", "HITS", "ORDER"
      ORDER BY NULLIF("SCORE", CAST('NaN' AS DOUBLE)) DESC NULLS LAST, "ITEM_ID"
    ) AS "RANK"
  FROM "DB"."RECS"
  WHERE "RANK" IS NOT NULL AND "HITS" IS NOT NULL AND "ORDER" IS NOT NULL AND "ITEM_ID" IS NOT NULL
), "UNNUMBERED_HITS" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "RANKED"."LIST_RANK", "RANKED"."HITS", "RANKED"."ORDER", MIN("RANKED"."RANK") AS "RANK"
  FROM "RANKED"
  JOIN "JUDGMENTS" ON "RANKED"."HITS" = "JUDGMENTS"."HITS" AND "RANKED"."ITEM" = "JUDGMENTS"."ITEM"
  GROUP BY "RANKED"."LIST_RANK", "RANKED"."HITS", "RANKED"."ORDER", "RANKED"."ITEM"
), "HITS" AS (
  /* hits: one row per hit, numbered from the top of the list. */
  SELECT
    "LIST_RANK",
    "HITS",
    "ORDER",
    "RANK",
    ROW_NUMBER() OVER (PARTITION BY "LIST_RANK", "HITS", "ORDER" ORDER BY "RANK") AS "HIT_NUMBER"
  FROM "UNNUMBERED_HITS"
), "HITS_PER_LIST" AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "LIST_RANK",
    "HITS",
    "ORDER",
    MIN(CASE WHEN "RANK" <= 5 THEN "RANK" END) AS "FIRST_HIT_AT_5",
    SUM("RANK" - "HIT_NUMBER") AS "MISSES_BEFORE_HITS",
    COUNT(*) AS "N_HITS"
  FROM "HITS"
  GROUP BY "LIST_RANK", "HITS", "ORDER"
), "RECOMMENDED_PER_LIST" AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "LIST_RANK", "HITS", "ORDER", MAX("RANK") AS "DEPTH"
  FROM "RANKED"
  GROUP BY "LIST_RANK", "HITS", "ORDER"
), "MEASURED" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "RECOMMENDED_LISTS"."LIST_RANK",
    "RECOMMENDED_LISTS"."HITS",
    "RECOMMENDED_LISTS"."ORDER",
    COALESCE("RELEVANT_COUNTS"."N_RELEVANT", 0) AS "N_RELEVANT",
    "HITS_PER_LIST"."FIRST_HIT_AT_5" AS "FIRST_HIT_AT_5",
    COALESCE("HITS_PER_LIST"."MISSES_BEFORE_HITS", 0) AS "MISSES_BEFORE_HITS",
    COALESCE("HITS_PER_LIST"."N_HITS", 0) AS "N_HITS",
    "RECOMMENDED_PER_LIST"."DEPTH" AS "DEPTH"
  FROM "RECOMMENDED_LISTS"
  JOIN "RELEVANT_COUNTS" ON "RECOMMENDED_LISTS"."HITS" = "RELEVANT_COUNTS"."HITS"
  LEFT JOIN "HITS_PER_LIST"
    ON "RECOMMENDED_LISTS"."LIST_RANK" = "HITS_PER_LIST"."LIST_RANK"
    AND "RECOMMENDED_LISTS"."HITS" = "HITS_PER_LIST"."HITS"
    AND "RECOMMENDED_LISTS"."ORDER" = "HITS_PER_LIST"."ORDER"
  LEFT JOIN "RECOMMENDED_PER_LIST"
    ON "RECOMMENDED_LISTS"."LIST_RANK" = "RECOMMENDED_PER_LIST"."LIST_RANK"
    AND "RECOMMENDED_LISTS"."HITS" = "RECOMMENDED_PER_LIST"."HITS"
    AND "RECOMMENDED_LISTS"."ORDER" = "RECOMMENDED_PER_LIST"."ORDER"
)
SELECT
  "LIST_RANK" AS "RANK",
  "ORDER",
  COUNT(*) AS "N_LISTS",
  AVG(
    CAST(CASE
      WHEN "N_RELEVANT" > 0
      THEN CASE WHEN "FIRST_HIT_AT_5" IS NOT NULL THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
    END AS DOUBLE)
  ) AS "HIT_AT_5",
  AVG(
    CAST(COALESCE(1 - CAST("MISSES_BEFORE_HITS" AS DOUBLE) / NULLIF("N_HITS" * (
      "DEPTH" - "N_HITS"
    ), 0), NULL) AS DOUBLE)
  ) AS "AUC"
FROM "MEASURED"
GROUP BY "LIST_RANK", "ORDER"
ORDER BY "LIST_RANK", "ORDER"
