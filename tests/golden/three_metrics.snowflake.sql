-- Three metrics of algorithms over users, ranked by a rank column: the plain case.
-- ndcg@10, recall@5,10, ap@10
-- Written by rankmetrics 0.1.0 for recommendations DB.RECS, truth DB.TRUTH, a list for each ALGORITHM, USER.
-- ndcg@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
-- recall@5, recall@10: share of the relevant items that are among the first k.
-- ap@10: average precision: mean, over the relevant items, of the precision at the rank of each. Its mean over lists is MAP.
WITH "UNNUMBERED_HITS" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "RECS"."ALGORITHM", "RECS"."USER", MIN(CAST("RECS"."RANK" AS BIGINT)) AS "RANK"
  FROM "DB"."RECS"
  JOIN "DB"."TRUTH" ON "RECS"."USER" = "TRUTH"."USER" AND "RECS"."ITEM" = "TRUTH"."ITEM"
  WHERE "RECS"."ALGORITHM" IS NOT NULL AND "RECS"."RANK" <= 10
  GROUP BY "RECS"."ALGORITHM", "RECS"."USER", "RECS"."ITEM"
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
    SUM(LN(2) / LN("RANK" + 1)) AS "DCG_BY_RANK_AT_10",
    COUNT(CASE WHEN "RANK" <= 5 THEN 1 END) AS "N_HITS_AT_5",
    COUNT(*) AS "N_HITS_AT_10",
    SUM(CAST("HIT_NUMBER" AS DOUBLE) / "RANK") AS "PRECISIONS_AT_HITS_AT_10"
  FROM "HITS"
  GROUP BY "ALGORITHM", "USER"
), "POSITIONS" AS (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT "RANK"
  FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) AS "POSITIONS"("RANK")
), "IDEAL_PER_LIST" AS (
  /* ideal_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT "COUNTS"."RANK" AS "N_RELEVANT", SUM(LN(2) / LN("POSITIONS"."RANK" + 1)) AS "IDEAL_DCG_AT_10"
  FROM "POSITIONS" AS "COUNTS"
  JOIN "POSITIONS" ON "POSITIONS"."RANK" <= "COUNTS"."RANK"
  GROUP BY "COUNTS"."RANK"
), "RELEVANT_COUNTS" AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "USER", COUNT(DISTINCT "ITEM") AS "N_RELEVANT"
  FROM "DB"."TRUTH"
  WHERE "USER" IS NOT NULL AND "ITEM" IS NOT NULL
  GROUP BY "USER"
), "SYSTEMS" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "ALGORITHM"
  FROM "DB"."RECS"
  WHERE "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
), "MEASURED" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "SYSTEMS"."ALGORITHM",
    "RELEVANT_COUNTS"."USER",
    COALESCE("HITS_PER_LIST"."DCG_BY_RANK_AT_10", 0) AS "DCG_BY_RANK_AT_10",
    COALESCE("IDEAL_PER_LIST"."IDEAL_DCG_AT_10", 0) AS "IDEAL_DCG_AT_10",
    COALESCE("HITS_PER_LIST"."N_HITS_AT_5", 0) AS "N_HITS_AT_5",
    COALESCE("RELEVANT_COUNTS"."N_RELEVANT", 0) AS "N_RELEVANT",
    COALESCE("HITS_PER_LIST"."N_HITS_AT_10", 0) AS "N_HITS_AT_10",
    COALESCE("HITS_PER_LIST"."PRECISIONS_AT_HITS_AT_10", 0) AS "PRECISIONS_AT_HITS_AT_10"
  FROM "RELEVANT_COUNTS"
  CROSS JOIN "SYSTEMS"
  LEFT JOIN "HITS_PER_LIST"
    ON "SYSTEMS"."ALGORITHM" = "HITS_PER_LIST"."ALGORITHM"
    AND "RELEVANT_COUNTS"."USER" = "HITS_PER_LIST"."USER"
  LEFT JOIN "IDEAL_PER_LIST"
    ON LEAST_IGNORE_NULLS(10, COALESCE("RELEVANT_COUNTS"."N_RELEVANT", 0)) = "IDEAL_PER_LIST"."N_RELEVANT"
)
SELECT
  "ALGORITHM",
  COUNT(*) AS "N_LISTS",
  AVG(CAST(CAST("DCG_BY_RANK_AT_10" AS DOUBLE) / NULLIF("IDEAL_DCG_AT_10", 0) AS DOUBLE)) AS "NDCG_AT_10",
  AVG(CAST(CAST("N_HITS_AT_5" AS DOUBLE) / NULLIF("N_RELEVANT", 0) AS DOUBLE)) AS "RECALL_AT_5",
  AVG(CAST(CAST("N_HITS_AT_10" AS DOUBLE) / NULLIF("N_RELEVANT", 0) AS DOUBLE)) AS "RECALL_AT_10",
  AVG(
    CAST(CASE
      WHEN "N_RELEVANT" > 0
      THEN CAST("PRECISIONS_AT_HITS_AT_10" AS DOUBLE) / NULLIF(LEAST_IGNORE_NULLS(10, "N_RELEVANT"), 0)
    END AS DOUBLE)
  ) AS "AP_AT_10"
FROM "MEASURED"
GROUP BY "ALGORITHM"
ORDER BY "ALGORITHM"
