-- One metric under three conventions, each over its own lists.
-- ndcg(convention=replay)@10, ndcg(convention=elliot)@10, ndcg(convention=lenskit)@10
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
), "RECOMMENDED_DUPLICATES_EACH" AS (
  /* recommended_duplicates_each: the recommendations down to the largest cutoff. */
  SELECT
    "ALGORITHM",
    "USER",
    "ITEM",
    "RANK"
  FROM "RANKED"
  WHERE
    "RANK" <= 10
), "JUDGMENTS" AS (
  /* judgments: the rows of the truth; a missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    "USER",
    "ITEM",
    COALESCE(NULLIF(CAST("RATING" AS DOUBLE), CAST('NaN' AS DOUBLE)), CAST(1 AS DOUBLE)) AS "RATING"
  FROM "DB"."TRUTH"
  WHERE
    "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "MATCHES_DUPLICATES_EACH_RELEVANCE_ANY" AS (
  /* matches_duplicates_each_relevance_any: the recommendations of relevant items. */
  SELECT
    "RECOMMENDED_DUPLICATES_EACH"."ALGORITHM" AS "ALGORITHM",
    "RECOMMENDED_DUPLICATES_EACH"."USER" AS "USER",
    "RECOMMENDED_DUPLICATES_EACH"."ITEM",
    "RECOMMENDED_DUPLICATES_EACH"."RANK"
  FROM "RECOMMENDED_DUPLICATES_EACH"
  JOIN "JUDGMENTS"
    ON "RECOMMENDED_DUPLICATES_EACH"."USER" = "JUDGMENTS"."USER"
    AND "RECOMMENDED_DUPLICATES_EACH"."ITEM" = "JUDGMENTS"."ITEM"
), "UNNUMBERED_HITS_DUPLICATES_EACH_RELEVANCE_ANY" AS (
  /* unnumbered_hits_duplicates_each_relevance_any: the relevant items that were recommended, once for each of their ranks in the list. */
  SELECT
    "ALGORITHM",
    "USER",
    "RANK"
  FROM "MATCHES_DUPLICATES_EACH_RELEVANCE_ANY"
  GROUP BY
    "ALGORITHM",
    "USER",
    "ITEM",
    "RANK"
), "HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST" AS (
  /* hits_duplicates_each_relevance_any_per_list: aggregates over the rows of unnumbered_hits_duplicates_each_relevance_any, for each list */
  SELECT
    "ALGORITHM",
    "USER",
    SUM(CASE WHEN "RANK" <= 10 THEN LN(2) / LN("RANK" + 1) END) AS "DCG_BY_RANK_DUPLICATES_EACH_RELEVANCE_ANY_AT_10",
    SUM(
      CASE WHEN "RANK" <= 10 THEN CASE WHEN "RANK" > 2 THEN LN(2) / LN("RANK") ELSE CAST(1 AS DOUBLE) END END
    ) AS "DCG_BY_RANK_DISCOUNT_LENSKIT_DUPLICATES_EACH_RELEVANCE_ANY_AT_10"
  FROM "UNNUMBERED_HITS_DUPLICATES_EACH_RELEVANCE_ANY"
  GROUP BY
    "ALGORITHM",
    "USER"
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
), "IDEAL_RELEVANCE_ANY" AS (
  /* ideal_relevance_any: the ranks of an ideal list, for each possible number of relevant items. */
  SELECT
    "COUNTS"."RANK" AS "N_RELEVANT",
    "POSITIONS"."RANK" AS "RANK"
  FROM "POSITIONS" AS "COUNTS"
  JOIN "POSITIONS"
    ON "POSITIONS"."RANK" <= "COUNTS"."RANK"
), "IDEAL_RELEVANCE_ANY_PER_LIST" AS (
  /* ideal_relevance_any_per_list: aggregates over the rows of ideal_relevance_any, for each number of relevant items */
  SELECT
    "N_RELEVANT",
    SUM(CASE WHEN "RANK" <= 10 THEN LN(2) / LN("RANK" + 1) END) AS "IDEAL_DCG_RELEVANCE_ANY_AT_10",
    SUM(
      CASE WHEN "RANK" <= 10 THEN CASE WHEN "RANK" > 2 THEN LN(2) / LN("RANK") ELSE CAST(1 AS DOUBLE) END END
    ) AS "IDEAL_DCG_DISCOUNT_LENSKIT_RELEVANCE_ANY_AT_10"
  FROM "IDEAL_RELEVANCE_ANY"
  GROUP BY
    "N_RELEVANT"
), "RELEVANT_REL_0" AS (
  /* relevant_rel_0: the rows of the truth with a relevant rating. */
  SELECT
    "USER",
    "ITEM",
    "RATING"
  FROM "JUDGMENTS"
  WHERE
    "RATING" >= 0
), "MATCHES_DUPLICATES_EACH_REL_0" AS (
  /* matches_duplicates_each_rel_0: the recommendations of relevant items. */
  SELECT
    "RECOMMENDED_DUPLICATES_EACH"."ALGORITHM" AS "ALGORITHM",
    "RECOMMENDED_DUPLICATES_EACH"."USER" AS "USER",
    "RECOMMENDED_DUPLICATES_EACH"."ITEM",
    "RECOMMENDED_DUPLICATES_EACH"."RANK",
    "RELEVANT_REL_0"."RATING"
  FROM "RECOMMENDED_DUPLICATES_EACH"
  JOIN "RELEVANT_REL_0"
    ON "RECOMMENDED_DUPLICATES_EACH"."USER" = "RELEVANT_REL_0"."USER"
    AND "RECOMMENDED_DUPLICATES_EACH"."ITEM" = "RELEVANT_REL_0"."ITEM"
), "UNNUMBERED_HITS_DUPLICATES_EACH_REL_0" AS (
  /* unnumbered_hits_duplicates_each_rel_0: the relevant items that were recommended, once for each of their ranks in the list. */
  SELECT
    "ALGORITHM",
    "USER",
    "RANK",
    MAX("RATING") AS "RATING"
  FROM "MATCHES_DUPLICATES_EACH_REL_0"
  GROUP BY
    "ALGORITHM",
    "USER",
    "ITEM",
    "RANK"
), "HITS_DUPLICATES_EACH_REL_0_PER_LIST" AS (
  /* hits_duplicates_each_rel_0_per_list: aggregates over the rows of unnumbered_hits_duplicates_each_rel_0, for each list */
  SELECT
    "ALGORITHM",
    "USER",
    SUM(
      CASE
        WHEN "RANK" <= 10
        THEN (
          POWER(CAST(2 AS DOUBLE), "RATING" - 0 + 1) - 1
        ) * (
          LN(2) / LN("RANK" + 1)
        )
      END
    ) AS "DCG_BY_RANK_DUPLICATES_EACH_GAIN_EXCESS_REL_0_AT_10"
  FROM "UNNUMBERED_HITS_DUPLICATES_EACH_REL_0"
  GROUP BY
    "ALGORITHM",
    "USER"
), "DISTINCT_JUDGMENTS" AS (
  /* distinct_judgments: the truth with one row per list and item; a repeated item keeps its highest rating. */
  SELECT
    "USER",
    MAX("RATING") AS "RATING"
  FROM "JUDGMENTS"
  GROUP BY
    "USER",
    "ITEM"
), "IDEAL_REL_0" AS (
  /* ideal_rel_0: the relevant items of each truth list in the ideal order, highest rating first. */
  SELECT
    "USER",
    "RATING",
    ROW_NUMBER() OVER (PARTITION BY "USER" ORDER BY "RATING" DESC NULLS LAST) AS "RANK"
  FROM "DISTINCT_JUDGMENTS"
  WHERE
    "RATING" >= 0
), "IDEAL_REL_0_PER_LIST" AS (
  /* ideal_rel_0_per_list: aggregates over the rows of ideal_rel_0, for each list */
  SELECT
    "USER",
    SUM(
      CASE
        WHEN "RANK" <= 10
        THEN (
          POWER(CAST(2 AS DOUBLE), "RATING" - 0 + 1) - 1
        ) * (
          LN(2) / LN("RANK" + 1)
        )
      END
    ) AS "IDEAL_DCG_GAIN_EXCESS_REL_0_AT_10"
  FROM "IDEAL_REL_0"
  GROUP BY
    "USER"
), "RELEVANT_COUNTS_REL_0" AS (
  /* relevant_counts_rel_0: the number of rows, items and relevant items of each truth list. */
  SELECT
    "USER",
    COUNT(DISTINCT CASE WHEN "RATING" >= 0 THEN "ITEM" END) AS "N_RELEVANT"
  FROM "JUDGMENTS"
  GROUP BY
    "USER"
), "RELEVANT_COUNTS_REL_0_PER_LIST" AS (
  /* relevant_counts_rel_0_per_list: aggregates over the rows of relevant_counts_rel_0, for each list */
  SELECT
    "USER",
    "N_RELEVANT" AS "N_RELEVANT_REL_0"
  FROM "RELEVANT_COUNTS_REL_0"
), "RELEVANT_COUNTS_RELEVANCE_ANY" AS (
  /* relevant_counts_relevance_any: the number of rows, items and relevant items of each truth list. */
  SELECT
    "USER",
    COUNT(DISTINCT "ITEM") AS "N_RELEVANT"
  FROM "JUDGMENTS"
  GROUP BY
    "USER"
), "RELEVANT_COUNTS_RELEVANCE_ANY_PER_LIST" AS (
  /* relevant_counts_relevance_any_per_list: aggregates over the rows of relevant_counts_relevance_any, for each list */
  SELECT
    "USER",
    "N_RELEVANT" AS "N_RELEVANT_RELEVANCE_ANY"
  FROM "RELEVANT_COUNTS_RELEVANCE_ANY"
), "SYSTEMS" AS (
  /* systems: the compared systems: the distinct values of the list columns that only the recommendations have. */
  SELECT DISTINCT
    "ALGORITHM"
  FROM "DB"."RECS"
  WHERE
    "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
), "LISTS_ZERO" AS (
  /* lists_zero: the lists that the means are taken over: every list of the truth, for every system. */
  SELECT
    "RELEVANT_COUNTS_REL_0"."USER" AS "USER",
    "SYSTEMS"."ALGORITHM" AS "ALGORITHM"
  FROM "RELEVANT_COUNTS_REL_0"
  CROSS JOIN "SYSTEMS"
), "RECOMMENDED_LISTS" AS (
  /* recommended_lists: the lists of the recommendations. */
  SELECT DISTINCT
    "ALGORITHM",
    "USER"
  FROM "DB"."RECS"
  WHERE
    "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
), "LISTS_SKIP" AS (
  /* lists_skip: the lists that the means are taken over: every list that is both in the recommendations and in the truth. */
  SELECT
    "RECOMMENDED_LISTS"."ALGORITHM" AS "ALGORITHM",
    "RECOMMENDED_LISTS"."USER" AS "USER"
  FROM "RECOMMENDED_LISTS"
  JOIN "RELEVANT_COUNTS_REL_0"
    ON "RECOMMENDED_LISTS"."USER" = "RELEVANT_COUNTS_REL_0"."USER"
), "LISTS" AS (
  /* lists: the lists of the means, with a flag for each choice of `missing` */
  SELECT
    "ALGORITHM",
    "USER",
    MAX("IN_ZERO") AS "IN_ZERO",
    MAX("IN_SKIP") AS "IN_SKIP",
    MAX("IN_LISTED") AS "IN_LISTED"
  FROM (
    SELECT
      "ALGORITHM",
      "USER",
      1 AS "IN_ZERO",
      0 AS "IN_SKIP",
      0 AS "IN_LISTED"
    FROM "LISTS_ZERO"
    UNION ALL
    SELECT
      "ALGORITHM",
      "USER",
      0 AS "IN_ZERO",
      1 AS "IN_SKIP",
      0 AS "IN_LISTED"
    FROM "LISTS_SKIP"
    UNION ALL
    SELECT
      "ALGORITHM",
      "USER",
      0 AS "IN_ZERO",
      0 AS "IN_SKIP",
      1 AS "IN_LISTED"
    FROM "RECOMMENDED_LISTS"
  ) AS "EVERY_LIST"
  GROUP BY
    "ALGORITHM",
    "USER"
), "MEASURED" AS (
  /* measured: one row per list, with the aggregates that its metrics need */
  SELECT
    "LISTS"."ALGORITHM",
    "LISTS"."USER",
    "LISTS"."IN_ZERO",
    "LISTS"."IN_SKIP",
    "LISTS"."IN_LISTED",
    COALESCE("HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST"."DCG_BY_RANK_DUPLICATES_EACH_RELEVANCE_ANY_AT_10", 0) AS "DCG_BY_RANK_DUPLICATES_EACH_RELEVANCE_ANY_AT_10",
    COALESCE("IDEAL_RELEVANCE_ANY_PER_LIST"."IDEAL_DCG_RELEVANCE_ANY_AT_10", 0) AS "IDEAL_DCG_RELEVANCE_ANY_AT_10",
    COALESCE("HITS_DUPLICATES_EACH_REL_0_PER_LIST"."DCG_BY_RANK_DUPLICATES_EACH_GAIN_EXCESS_REL_0_AT_10", 0) AS "DCG_BY_RANK_DUPLICATES_EACH_GAIN_EXCESS_REL_0_AT_10",
    COALESCE("IDEAL_REL_0_PER_LIST"."IDEAL_DCG_GAIN_EXCESS_REL_0_AT_10", 0) AS "IDEAL_DCG_GAIN_EXCESS_REL_0_AT_10",
    COALESCE("RELEVANT_COUNTS_REL_0_PER_LIST"."N_RELEVANT_REL_0", 0) AS "N_RELEVANT_REL_0",
    COALESCE(
      "HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST"."DCG_BY_RANK_DISCOUNT_LENSKIT_DUPLICATES_EACH_RELEVANCE_ANY_AT_10",
      0
    ) AS "DCG_BY_RANK_DISCOUNT_LENSKIT_DUPLICATES_EACH_RELEVANCE_ANY_AT_10",
    COALESCE("IDEAL_RELEVANCE_ANY_PER_LIST"."IDEAL_DCG_DISCOUNT_LENSKIT_RELEVANCE_ANY_AT_10", 0) AS "IDEAL_DCG_DISCOUNT_LENSKIT_RELEVANCE_ANY_AT_10"
  FROM "LISTS"
  LEFT JOIN "HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST"
    ON "LISTS"."ALGORITHM" = "HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST"."ALGORITHM"
    AND "LISTS"."USER" = "HITS_DUPLICATES_EACH_RELEVANCE_ANY_PER_LIST"."USER"
  LEFT JOIN "HITS_DUPLICATES_EACH_REL_0_PER_LIST"
    ON "LISTS"."ALGORITHM" = "HITS_DUPLICATES_EACH_REL_0_PER_LIST"."ALGORITHM"
    AND "LISTS"."USER" = "HITS_DUPLICATES_EACH_REL_0_PER_LIST"."USER"
  LEFT JOIN "IDEAL_REL_0_PER_LIST"
    ON "LISTS"."USER" = "IDEAL_REL_0_PER_LIST"."USER"
  LEFT JOIN "RELEVANT_COUNTS_REL_0_PER_LIST"
    ON "LISTS"."USER" = "RELEVANT_COUNTS_REL_0_PER_LIST"."USER"
  LEFT JOIN "RELEVANT_COUNTS_RELEVANCE_ANY_PER_LIST"
    ON "LISTS"."USER" = "RELEVANT_COUNTS_RELEVANCE_ANY_PER_LIST"."USER"
  LEFT JOIN "IDEAL_RELEVANCE_ANY_PER_LIST"
    ON LEAST_IGNORE_NULLS(10, COALESCE("RELEVANT_COUNTS_RELEVANCE_ANY_PER_LIST"."N_RELEVANT_RELEVANCE_ANY", 0)) = "IDEAL_RELEVANCE_ANY_PER_LIST"."N_RELEVANT"
), "PER_LIST" AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    "ALGORITHM",
    "USER",
    "IN_ZERO",
    "IN_SKIP",
    "IN_LISTED",
    CASE
      WHEN "IN_ZERO" = 1
      THEN CAST("DCG_BY_RANK_DUPLICATES_EACH_RELEVANCE_ANY_AT_10" AS DOUBLE) / NULLIF("IDEAL_DCG_RELEVANCE_ANY_AT_10", 0)
    END AS "NDCG_CONVENTION_REPLAY_AT_10",
    CASE
      WHEN "IN_SKIP" = 1
      THEN CASE
        WHEN "N_RELEVANT_REL_0" > 0
        THEN CAST("DCG_BY_RANK_DUPLICATES_EACH_GAIN_EXCESS_REL_0_AT_10" AS DOUBLE) / NULLIF("IDEAL_DCG_GAIN_EXCESS_REL_0_AT_10", 0)
      END
    END AS "NDCG_CONVENTION_ELLIOT_AT_10",
    CASE
      WHEN "IN_LISTED" = 1
      THEN COALESCE(
        CAST("DCG_BY_RANK_DISCOUNT_LENSKIT_DUPLICATES_EACH_RELEVANCE_ANY_AT_10" AS DOUBLE) / NULLIF("IDEAL_DCG_DISCOUNT_LENSKIT_RELEVANCE_ANY_AT_10", 0),
        0
      )
    END AS "NDCG_CONVENTION_LENSKIT_AT_10"
  FROM "MEASURED"
)
SELECT
  "ALGORITHM",
  COUNT(*) AS "N_LISTS",
  AVG(CAST("NDCG_CONVENTION_REPLAY_AT_10" AS DOUBLE)) AS "NDCG_CONVENTION_REPLAY_AT_10",
  AVG(CAST("NDCG_CONVENTION_ELLIOT_AT_10" AS DOUBLE)) AS "NDCG_CONVENTION_ELLIOT_AT_10",
  AVG(CAST("NDCG_CONVENTION_LENSKIT_AT_10" AS DOUBLE)) AS "NDCG_CONVENTION_LENSKIT_AT_10"
FROM "PER_LIST"
GROUP BY
  "ALGORITHM"
ORDER BY
  "ALGORITHM"
