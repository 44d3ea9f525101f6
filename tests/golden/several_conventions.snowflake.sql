-- One metric under three conventions, each over its own lists.
-- ndcg(convention=replay)@10, ndcg(convention=elliot)@10, ndcg(convention=lenskit)@10
-- Written by rankmetrics 0.1.0 for recommendations DB.RECS, truth DB.TRUTH, a list for each ALGORITHM, USER.
-- ndcg(convention=replay)@10, ndcg(convention=elliot)@10, ndcg(convention=lenskit)@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
WITH "JUDGMENTS" AS (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    "USER",
    "ITEM",
    COALESCE(NULLIF(CAST("RATING" AS DOUBLE), CAST('NaN' AS DOUBLE)), CAST(1 AS DOUBLE)) AS "RATING"
  FROM "DB"."TRUTH"
  WHERE "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "UNNUMBERED_HITS_DUPLICATES_EACH_RELEVANCE_ANY" AS (
  /* unnumbered_hits_duplicates_each_relevance_any: one row per hit. An item that a list repeats is a hit at each of its ranks. */
  SELECT "RECS"."ALGORITHM", "RECS"."USER", CAST("RECS"."RANK" AS BIGINT) AS "RANK"
  FROM "DB"."RECS"
  JOIN "JUDGMENTS" ON "RECS"."USER" = "JUDGMENTS"."USER" AND "RECS"."ITEM" = "JUDGMENTS"."ITEM"
  WHERE "RECS"."ALGORITHM" IS NOT NULL AND "RECS"."RANK" <= 10
  GROUP BY "RECS"."ALGORITHM", "RECS"."USER", "RECS"."ITEM", CAST("RECS"."RANK" AS BIGINT)
), "HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST" AS (
  /* hits_duplicates_each_relevance_any_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "ALGORITHM",
    "USER",
    SUM(LN(2) / LN("RANK" + 1)) AS "DCG_BY_RANK_DUPLICATES_EACH_RELEVANCE_ANY_AT_10",
    SUM(CASE WHEN "RANK" > 2 THEN LN(2) / LN("RANK") ELSE CAST(1 AS DOUBLE) END) AS "DCG_BY_RANK_DISCOUNT_LENSKIT_DUPLICATES_EACH_RELEVANCE_ANY_AT_10"
  FROM "UNNUMBERED_HITS_DUPLICATES_EACH_RELEVANCE_ANY"
  GROUP BY "ALGORITHM", "USER"
), "POSITIONS" AS (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT "RANK"
  FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) AS "POSITIONS"("RANK")
), "IDEAL_RELEVANCE_ANY_PER_LIST" AS (
  /* ideal_relevance_any_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT
    "COUNTS"."RANK" AS "N_RELEVANT",
    SUM(LN(2) / LN("POSITIONS"."RANK" + 1)) AS "IDEAL_DCG_RELEVANCE_ANY_AT_10",
    SUM(CASE WHEN "POSITIONS"."RANK" > 2 THEN LN(2) / LN("POSITIONS"."RANK") ELSE CAST(1 AS DOUBLE) END) AS "IDEAL_DCG_DISCOUNT_LENSKIT_RELEVANCE_ANY_AT_10"
  FROM "POSITIONS" AS "COUNTS"
  JOIN "POSITIONS" ON "POSITIONS"."RANK" <= "COUNTS"."RANK"
  GROUP BY "COUNTS"."RANK"
), "UNNUMBERED_HITS_DUPLICATES_EACH_REL_0" AS (
  /* unnumbered_hits_duplicates_each_rel_0: one row per hit. An item that a list repeats is a hit at each of its ranks. */
  SELECT
    "RECS"."ALGORITHM",
    "RECS"."USER",
    CAST("RECS"."RANK" AS BIGINT) AS "RANK",
    MAX("JUDGMENTS"."RATING") AS "RATING"
  FROM "DB"."RECS"
  JOIN "JUDGMENTS" ON "RECS"."USER" = "JUDGMENTS"."USER" AND "RECS"."ITEM" = "JUDGMENTS"."ITEM"
  WHERE "JUDGMENTS"."RATING" >= 0 AND "RECS"."ALGORITHM" IS NOT NULL AND "RECS"."RANK" <= 10
  GROUP BY "RECS"."ALGORITHM", "RECS"."USER", "RECS"."ITEM", CAST("RECS"."RANK" AS BIGINT)
), "HITS_DUPLICATES_EACH_REL_0_PER_LIST" AS (
  /* hits_duplicates_each_rel_0_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "ALGORITHM",
    "USER",
    SUM((
      POWER(CAST(2 AS DOUBLE), "RATING" + 1) - 1
    ) * (
      LN(2) / LN("RANK" + 1)
    )) AS "DCG_BY_RANK_DUPLICATES_EACH_GAIN_EXCESS_REL_0_AT_10"
  FROM "UNNUMBERED_HITS_DUPLICATES_EACH_REL_0"
  GROUP BY "ALGORITHM", "USER"
), "DISTINCT_JUDGMENTS" AS (
  /* distinct_judgments: one row per truth list and item. A repeated item keeps its highest rating. */
  SELECT "USER", MAX("RATING") AS "RATING"
  FROM "JUDGMENTS"
  GROUP BY "USER", "ITEM"
), "IDEAL_REL_0" AS (
  /* ideal_rel_0: one row per truth list and relevant item, ranked by rating, the highest first. */
  SELECT "USER", "RATING", ROW_NUMBER() OVER (PARTITION BY "USER" ORDER BY "RATING" DESC NULLS LAST) AS "RANK"
  FROM "DISTINCT_JUDGMENTS"
  WHERE "RATING" >= 0
), "IDEAL_REL_0_PER_LIST" AS (
  /* ideal_rel_0_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT
    "USER",
    SUM(
      CASE
        WHEN "RANK" <= 10
        THEN (
          POWER(CAST(2 AS DOUBLE), "RATING" + 1) - 1
        ) * (
          LN(2) / LN("RANK" + 1)
        )
      END
    ) AS "IDEAL_DCG_GAIN_EXCESS_REL_0_AT_10"
  FROM "IDEAL_REL_0"
  GROUP BY "USER"
), "RELEVANT_COUNTS_REL_0" AS (
  /* relevant_counts_rel_0: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "USER", COUNT(DISTINCT CASE WHEN "RATING" >= 0 THEN "ITEM" END) AS "N_RELEVANT"
  FROM "JUDGMENTS"
  GROUP BY "USER"
), "RELEVANT_COUNTS_RELEVANCE_ANY" AS (
  /* relevant_counts_relevance_any: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "USER", COUNT(DISTINCT "ITEM") AS "N_RELEVANT"
  FROM "JUDGMENTS"
  GROUP BY "USER"
), "SYSTEMS" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "ALGORITHM"
  FROM "DB"."RECS"
  WHERE "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
), "RECOMMENDED_LISTS" AS (
  /* recommended_lists: one row per list of the recommendations. */
  SELECT DISTINCT "ALGORITHM", "USER"
  FROM "DB"."RECS"
  WHERE "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
), "LISTS" AS (
  /* lists: one row per list of any choice of `missing`, with a flag for each choice */
  SELECT "ALGORITHM", "USER", MAX("IN_ZERO") AS "IN_ZERO", MAX("IN_SKIP") AS "IN_SKIP", MAX("IN_LISTED") AS "IN_LISTED"
  FROM (
    SELECT "SYSTEMS"."ALGORITHM", "RELEVANT_COUNTS_REL_0"."USER", 1 AS "IN_ZERO", 0 AS "IN_SKIP", 0 AS "IN_LISTED"
    FROM "RELEVANT_COUNTS_REL_0"
    CROSS JOIN "SYSTEMS"
    UNION ALL
    SELECT "RECOMMENDED_LISTS"."ALGORITHM", "RECOMMENDED_LISTS"."USER", 0 AS "IN_ZERO", 1 AS "IN_SKIP", 0 AS "IN_LISTED"
    FROM "RECOMMENDED_LISTS"
    JOIN "RELEVANT_COUNTS_REL_0" ON "RECOMMENDED_LISTS"."USER" = "RELEVANT_COUNTS_REL_0"."USER"
    UNION ALL
    SELECT "ALGORITHM", "USER", 0 AS "IN_ZERO", 0 AS "IN_SKIP", 1 AS "IN_LISTED"
    FROM "RECOMMENDED_LISTS"
  ) AS "EVERY_LIST"
  GROUP BY "ALGORITHM", "USER"
)
SELECT
  "LISTS"."ALGORITHM",
  COUNT(*) AS "N_LISTS",
  AVG(
    CAST(CASE
      WHEN "LISTS"."IN_ZERO" = 1
      THEN CAST(COALESCE("HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST"."DCG_BY_RANK_DUPLICATES_EACH_RELEVANCE_ANY_AT_10", 0) AS DOUBLE) / NULLIF(COALESCE("IDEAL_RELEVANCE_ANY_PER_LIST"."IDEAL_DCG_RELEVANCE_ANY_AT_10", 0), 0)
    END AS DOUBLE)
  ) AS "NDCG_CONVENTION_REPLAY_AT_10",
  AVG(
    CAST(CASE
      WHEN "LISTS"."IN_SKIP" = 1
      THEN CASE
        WHEN COALESCE("RELEVANT_COUNTS_REL_0"."N_RELEVANT", 0) > 0
        THEN CAST(COALESCE("HITS_DUPLICATES_EACH_REL_0_PER_LIST"."DCG_BY_RANK_DUPLICATES_EACH_GAIN_EXCESS_REL_0_AT_10", 0) AS DOUBLE) / NULLIF(COALESCE("IDEAL_REL_0_PER_LIST"."IDEAL_DCG_GAIN_EXCESS_REL_0_AT_10", 0), 0)
      END
    END AS DOUBLE)
  ) AS "NDCG_CONVENTION_ELLIOT_AT_10",
  AVG(
    CAST(CASE
      WHEN "LISTS"."IN_LISTED" = 1
      THEN COALESCE(
        CAST(COALESCE(
          "HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST"."DCG_BY_RANK_DISCOUNT_LENSKIT_DUPLICATES_EACH_RELEVANCE_ANY_AT_10",
          0
        ) AS DOUBLE) / NULLIF(COALESCE("IDEAL_RELEVANCE_ANY_PER_LIST"."IDEAL_DCG_DISCOUNT_LENSKIT_RELEVANCE_ANY_AT_10", 0), 0),
        0
      )
    END AS DOUBLE)
  ) AS "NDCG_CONVENTION_LENSKIT_AT_10"
FROM "LISTS"
LEFT JOIN "HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST"
  ON "LISTS"."ALGORITHM" = "HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST"."ALGORITHM"
  AND "LISTS"."USER" = "HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST"."USER"
LEFT JOIN "HITS_DUPLICATES_EACH_REL_0_PER_LIST"
  ON "LISTS"."ALGORITHM" = "HITS_DUPLICATES_EACH_REL_0_PER_LIST"."ALGORITHM"
  AND "LISTS"."USER" = "HITS_DUPLICATES_EACH_REL_0_PER_LIST"."USER"
LEFT JOIN "IDEAL_REL_0_PER_LIST" ON "LISTS"."USER" = "IDEAL_REL_0_PER_LIST"."USER"
LEFT JOIN "RELEVANT_COUNTS_REL_0" ON "LISTS"."USER" = "RELEVANT_COUNTS_REL_0"."USER"
LEFT JOIN "RELEVANT_COUNTS_RELEVANCE_ANY" ON "LISTS"."USER" = "RELEVANT_COUNTS_RELEVANCE_ANY"."USER"
LEFT JOIN "IDEAL_RELEVANCE_ANY_PER_LIST"
  ON LEAST_IGNORE_NULLS(10, COALESCE("RELEVANT_COUNTS_RELEVANCE_ANY"."N_RELEVANT", 0)) = "IDEAL_RELEVANCE_ANY_PER_LIST"."N_RELEVANT"
GROUP BY "LISTS"."ALGORITHM"
ORDER BY "LISTS"."ALGORITHM"
