-- List columns called as parts of the query are, lists of the recommendations only.
-- hit@5, auc
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each rank, hits, order.
-- hit@5: 1 if a relevant item is among the first k recommendations, else 0. Its mean over lists is the hit rate.
-- auc: area under the ROC curve within the list: share of the pairs of a hit and a miss in which the hit ranks higher.
WITH "recommended_lists" AS (
  /* recommended_lists: one row per list of the recommendations. */
  SELECT DISTINCT "rank" AS "list_rank", "hits", "order"
  FROM "db"."recs"
  WHERE "rank" IS NOT NULL AND "hits" IS NOT NULL AND "order" IS NOT NULL
), "recommended_truth_lists" AS (
  /* recommended_truth_lists: one row per combination of the truth's list columns that has recommendations. */
  SELECT DISTINCT "hits"
  FROM "recommended_lists"
), "judgments" AS (
  /* judgments: the rows of the truth, only for lists that have recommendations. A missing rating counts as 1. */
  SELECT "truth"."hits" AS "hits", "truth"."item_id" AS "item", CAST(1 AS DOUBLE) AS "rating"
  FROM "db"."truth"
  JOIN "recommended_truth_lists" ON "truth"."hits" = "recommended_truth_lists"."hits"
  WHERE "truth"."item_id" IS NOT NULL
), "relevant_counts" AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "hits", COUNT(DISTINCT "item") FILTER(WHERE "rating" > 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY "hits"
), "ranked" AS (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT
    "rank" AS "list_rank",
    "hits",
    "order",
    "item_id" AS "item",
    ROW_NUMBER() OVER (
      PARTITION BY "rank", "hits", "order"
      ORDER BY NULLIF("score", CAST('NaN' AS DOUBLE)) DESC NULLS LAST, "item_id"
    ) AS "rank"
  FROM "db"."recs"
  WHERE "rank" IS NOT NULL AND "hits" IS NOT NULL AND "order" IS NOT NULL AND "item_id" IS NOT NULL
), "recommended" AS (
  /* recommended: one row per recommendation down to the largest cutoff. */
  SELECT "list_rank", "hits", "order", "item", "rank"
  FROM "ranked"
), "relevant" AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT "hits", "item"
  FROM "judgments"
  WHERE "rating" > 0
), "matches" AS MATERIALIZED (
  /* matches: one row per recommendation of a relevant item. */
  SELECT
    "recommended"."list_rank" AS "list_rank",
    "recommended"."hits" AS "hits",
    "recommended"."order" AS "order",
    "recommended"."item",
    "recommended"."rank"
  FROM "recommended"
  JOIN "relevant" ON "recommended"."hits" = "relevant"."hits" AND "recommended"."item" = "relevant"."item"
), "unnumbered_hits" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "list_rank", "hits", "order", MIN("rank") AS "rank"
  FROM "matches"
  GROUP BY "list_rank", "hits", "order", "item"
), "hits" AS (
  /* hits: one row per hit, numbered from the top of the list. */
  SELECT
    "list_rank",
    "hits",
    "order",
    "rank",
    ROW_NUMBER() OVER (PARTITION BY "list_rank", "hits", "order" ORDER BY "rank") AS "hit_number"
  FROM "unnumbered_hits"
), "hits_per_list" AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "list_rank",
    "hits",
    "order",
    MIN(CASE WHEN "rank" <= 5 THEN "rank" END) AS "first_hit@5",
    SUM("rank" - "hit_number") AS "misses_before_hits",
    COUNT(*) AS "n_hits"
  FROM "hits"
  GROUP BY "list_rank", "hits", "order"
), "recommended_per_list" AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "list_rank", "hits", "order", MAX("rank") AS "depth"
  FROM "recommended"
  GROUP BY "list_rank", "hits", "order"
), "truth_lists" AS (
  /* truth_lists: one row per truth list. */
  SELECT "hits", "n_relevant"
  FROM "relevant_counts"
), "lists" AS (
  /* lists: one row per scored list: every list that is both in the recommendations and in the truth. */
  SELECT
    "recommended_lists"."list_rank" AS "list_rank",
    "recommended_lists"."hits" AS "hits",
    "recommended_lists"."order" AS "order",
    "truth_lists"."n_relevant"
  FROM "recommended_lists"
  JOIN "truth_lists" ON "recommended_lists"."hits" = "truth_lists"."hits"
), "measured" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "lists"."list_rank",
    "lists"."hits",
    "lists"."order",
    COALESCE("lists"."n_relevant", 0) AS "n_relevant",
    "hits_per_list"."first_hit@5" AS "first_hit@5",
    COALESCE("hits_per_list"."misses_before_hits", 0) AS "misses_before_hits",
    COALESCE("hits_per_list"."n_hits", 0) AS "n_hits",
    "recommended_per_list"."depth" AS "depth"
  FROM "lists"
  LEFT JOIN "hits_per_list"
    ON "lists"."list_rank" = "hits_per_list"."list_rank"
    AND "lists"."hits" = "hits_per_list"."hits"
    AND "lists"."order" = "hits_per_list"."order"
  LEFT JOIN "recommended_per_list"
    ON "lists"."list_rank" = "recommended_per_list"."list_rank"
    AND "lists"."hits" = "recommended_per_list"."hits"
    AND "lists"."order" = "recommended_per_list"."order"
), "per_list" AS (
  /* per_list: one row per scored list, with its metrics */
  SELECT
    "list_rank",
    "hits",
    "order",
    CASE
      WHEN "n_relevant" > 0
      THEN CASE WHEN "first_hit@5" IS NOT NULL THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
    END AS "hit@5",
    COALESCE(1 - "misses_before_hits" / NULLIF("n_hits" * (
      "depth" - "n_hits"
    ), 0), NULL) AS "auc"
  FROM "measured"
)
SELECT
  "list_rank" AS "rank",
  "order",
  COUNT(*) AS "n_lists",
  AVG(CAST("hit@5" AS DOUBLE)) AS "hit@5",
  AVG(CAST("auc" AS DOUBLE)) AS "auc"
FROM "per_list"
GROUP BY "list_rank", "order"
ORDER BY "list_rank", "order"
