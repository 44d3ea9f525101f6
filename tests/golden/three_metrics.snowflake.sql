-- Three metrics of algorithms over users, ranked by a rank column: the plain case.
-- ndcg@10, recall@5,10, ap@10
-- Written by rankmetrics 0.1.0 for recommendations DB.RECS, truth DB.TRUTH, a list for each ALGORITHM, USER.
-- ndcg@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
-- recall@5, recall@10: share of the relevant items that are among the first k.
-- ap@10: average precision: mean, over the relevant items, of the precision at the rank of each. Its mean over lists is MAP.
WITH "RANKED" AS (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT "ALGORITHM", "USER", "ITEM", CAST("RANK" AS BIGINT) AS "RANK"
  FROM "DB"."RECS"
  WHERE "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL AND "ITEM" IS NOT NULL AND "RANK" <= 10
), "RECOMMENDED" AS (
  /* recommended: one row per recommendation down to the largest cutoff. */
  SELECT "ALGORITHM", "USER", "ITEM", "RANK"
  FROM "RANKED"
  WHERE "RANK" <= 10
), "JUDGMENTS" AS (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT "USER", "ITEM", CAST(1 AS DOUBLE) AS "RATING"
  FROM "DB"."TRUTH"
  WHERE "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "RELEVANT" AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT "USER", "ITEM"
  FROM "JUDGMENTS"
  WHERE "RATING" > 0
), "MATCHES" AS (
  /* matches: one row per recommendation of a relevant item. */
  SELECT
    "RECOMMENDED"."ALGORITHM" AS "ALGORITHM",
    "RECOMMENDED"."USER" AS "USER",
    "RECOMMENDED"."ITEM",
    "RECOMMENDED"."RANK"
  FROM "RECOMMENDED"
  JOIN "RELEVANT" ON "RECOMMENDED"."USER" = "RELEVANT"."USER" AND "RECOMMENDED"."ITEM" = "RELEVANT"."ITEM"
), "UNNUMBERED_HITS" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "ALGORITHM", "USER", MIN("RANK") AS "RANK"
  FROM "MATCHES"
  GROUP BY "ALGORITHM", "USER", "ITEM"
), "HITS" AS (
  /* hits: one row per hit, numbered from the top of the list. */
  SELECT
    "ALGORITHM",
    "USER",
    "RANK",
    ROW_NUMBER() OVER (PARTITION BY "ALGORITHM", "USER" ORDER BY "RANK") AS "HIT_NUMBER"
  FROM "UNNUMBERED_HITS"
), "HITS_PER_LIST" AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "ALGORITHM",
    "USER",
    SUM(CASE WHEN "RANK" <= 10 THEN LN(2) / LN("RANK" + 1) END) AS "DCG_BY_RANK_AT_10",
    COUNT(CASE WHEN "RANK" <= 5 THEN 1 END) AS "N_HITS_AT_5",
    COUNT(CASE WHEN "RANK" <= 10 THEN 1 END) AS "N_HITS_AT_10",
    SUM(CASE WHEN "RANK" <= 10 THEN CAST("HIT_NUMBER" AS DOUBLE) / "RANK" END) AS "PRECISIONS_AT_HITS_AT_10"
  FROM "HITS"
  GROUP BY "ALGORITHM", "USER"
), "POSITIONS" AS (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT "RANK"
  FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) AS "POSITIONS"("RANK")
), "IDEAL" AS (
  /* ideal: one row per number of relevant items and rank of an ideal list with this number of items. */
  SELECT "COUNTS"."RANK" AS "N_RELEVANT", "POSITIONS"."RANK" AS "RANK"
  FROM "POSITIONS" AS "COUNTS"
  JOIN "POSITIONS" ON "POSITIONS"."RANK" <= "COUNTS"."RANK"
), "IDEAL_PER_LIST" AS (
  /* ideal_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT "N_RELEVANT", SUM(CASE WHEN "RANK" <= 10 THEN LN(2) / LN("RANK" + 1) END) AS "IDEAL_DCG_AT_10"
  FROM "IDEAL"
  GROUP BY "N_RELEVANT"
), "RELEVANT_COUNTS" AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "USER", COUNT(DISTINCT CASE WHEN "RATING" > 0 THEN "ITEM" END) AS "N_RELEVANT"
  FROM "JUDGMENTS"
  GROUP BY "USER"
), "TRUTH_LISTS" AS (
  /* truth_lists: one row per truth list. */
  SELECT "USER", "N_RELEVANT"
  FROM "RELEVANT_COUNTS"
), "SYSTEMS" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "ALGORITHM"
  FROM "DB"."RECS"
  WHERE "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
), "LISTS" AS (
  /* lists: one row per scored list: every list of the truth, for every system of its partition. */
  SELECT "TRUTH_LISTS"."USER" AS "USER", "SYSTEMS"."ALGORITHM" AS "ALGORITHM", "TRUTH_LISTS"."N_RELEVANT"
  FROM "TRUTH_LISTS"
  CROSS JOIN "SYSTEMS"
), "MEASURED" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "LISTS"."ALGORITHM",
    "LISTS"."USER",
    COALESCE("HITS_PER_LIST"."DCG_BY_RANK_AT_10", 0) AS "DCG_BY_RANK_AT_10",
    COALESCE("IDEAL_PER_LIST"."IDEAL_DCG_AT_10", 0) AS "IDEAL_DCG_AT_10",
    COALESCE("HITS_PER_LIST"."N_HITS_AT_5", 0) AS "N_HITS_AT_5",
    COALESCE("LISTS"."N_RELEVANT", 0) AS "N_RELEVANT",
    COALESCE("HITS_PER_LIST"."N_HITS_AT_10", 0) AS "N_HITS_AT_10",
    COALESCE("HITS_PER_LIST"."PRECISIONS_AT_HITS_AT_10", 0) AS "PRECISIONS_AT_HITS_AT_10"
  FROM "LISTS"
  LEFT JOIN "HITS_PER_LIST"
    ON "LISTS"."ALGORITHM" = "HITS_PER_LIST"."ALGORITHM" AND "LISTS"."USER" = "HITS_PER_LIST"."USER"
  LEFT JOIN "IDEAL_PER_LIST"
    ON LEAST_IGNORE_NULLS(10, COALESCE("LISTS"."N_RELEVANT", 0)) = "IDEAL_PER_LIST"."N_RELEVANT"
), "PER_LIST" AS (
  /* per_list: one row per scored list, with its metrics */
  SELECT
    "ALGORITHM",
    "USER",
    CAST("DCG_BY_RANK_AT_10" AS DOUBLE) / NULLIF("IDEAL_DCG_AT_10", 0) AS "NDCG_AT_10",
    CAST("N_HITS_AT_5" AS DOUBLE) / NULLIF("N_RELEVANT", 0) AS "RECALL_AT_5",
    CAST("N_HITS_AT_10" AS DOUBLE) / NULLIF("N_RELEVANT", 0) AS "RECALL_AT_10",
    CASE
      WHEN "N_RELEVANT" > 0
      THEN CAST("PRECISIONS_AT_HITS_AT_10" AS DOUBLE) / NULLIF(LEAST_IGNORE_NULLS(10, "N_RELEVANT"), 0)
    END AS "AP_AT_10"
  FROM "MEASURED"
)
SELECT
  "ALGORITHM",
  COUNT(*) AS "N_LISTS",
  AVG(CAST("NDCG_AT_10" AS DOUBLE)) AS "NDCG_AT_10",
  AVG(CAST("RECALL_AT_5" AS DOUBLE)) AS "RECALL_AT_5",
  AVG(CAST("RECALL_AT_10" AS DOUBLE)) AS "RECALL_AT_10",
  AVG(CAST("AP_AT_10" AS DOUBLE)) AS "AP_AT_10"
FROM "PER_LIST"
GROUP BY "ALGORITHM"
ORDER BY "ALGORITHM"
