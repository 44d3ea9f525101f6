-- Ranked by score, graded by rating, over a partition, one row per list.
-- ndcg(gain=exponential)@10, precision(rel=4, divisor=list), err(stop=graded)@10
WITH "RANKED" AS (
  /* ranked: every recommendation with its rank; rows with a NULL id are left out. */
  SELECT
    "PARTITION",
    "ALGORITHM",
    "USER",
    "ITEM",
    ROW_NUMBER() OVER (
      PARTITION BY "PARTITION", "ALGORITHM", "USER"
      ORDER BY NULLIF("SCORE", CAST('NaN' AS DOUBLE)) DESC NULLS LAST, "ITEM"
    ) AS "RANK"
  FROM "DB"."RECS"
  WHERE
    "PARTITION" IS NOT NULL AND "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "JUDGMENTS" AS (
  /* judgments: the rows of the truth; a missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    "PARTITION",
    "USER",
    "ITEM",
    COALESCE(NULLIF(CAST("RATING" AS DOUBLE), CAST('NaN' AS DOUBLE)), CAST(1 AS DOUBLE)) AS "RATING"
  FROM "DB"."TRUTH"
  WHERE
    "PARTITION" IS NOT NULL AND "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "RELEVANT" AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT
    "PARTITION",
    "USER",
    "ITEM",
    "RATING"
  FROM "JUDGMENTS"
  WHERE
    "RATING" > 0
), "MATCHES" AS (
  /* matches: the recommendations of relevant items. */
  SELECT
    "RANKED"."PARTITION" AS "PARTITION",
    "RANKED"."ALGORITHM" AS "ALGORITHM",
    "RANKED"."USER" AS "USER",
    "RANKED"."ITEM",
    "RANKED"."RANK",
    "RELEVANT"."RATING"
  FROM "RANKED"
  JOIN "RELEVANT"
    ON "RANKED"."PARTITION" = "RELEVANT"."PARTITION"
    AND "RANKED"."USER" = "RELEVANT"."USER"
    AND "RANKED"."ITEM" = "RELEVANT"."ITEM"
), "UNNUMBERED_HITS" AS (
  /* unnumbered_hits: the relevant items that were recommended, each once, with its best rank and its highest rating. */
  SELECT
    "PARTITION",
    "ALGORITHM",
    "USER",
    MIN("RANK") AS "RANK",
    MAX("RATING") AS "RATING"
  FROM "MATCHES"
  GROUP BY
    "PARTITION",
    "ALGORITHM",
    "USER",
    "ITEM"
), "HITS_PER_LIST" AS (
  /* hits_per_list: aggregates over the rows of unnumbered_hits, for each list */
  SELECT
    "PARTITION",
    "ALGORITHM",
    "USER",
    SUM(
      CASE
        WHEN "RANK" <= 10
        THEN (
          POWER(CAST(2 AS DOUBLE), "RATING") - 1
        ) * (
          LN(2) / LN("RANK" + 1)
        )
      END
    ) AS "DCG_BY_RANK_GAIN_EXPONENTIAL_AT_10"
  FROM "UNNUMBERED_HITS"
  GROUP BY
    "PARTITION",
    "ALGORITHM",
    "USER"
), "DISTINCT_JUDGMENTS" AS (
  /* distinct_judgments: the truth with one row per list and item; a repeated item keeps its highest rating. */
  SELECT
    "PARTITION",
    "USER",
    MAX("RATING") AS "RATING"
  FROM "JUDGMENTS"
  GROUP BY
    "PARTITION",
    "USER",
    "ITEM"
), "IDEAL" AS (
  /* ideal: the relevant items of each truth list in the ideal order, highest rating first. */
  SELECT
    "PARTITION",
    "USER",
    "RATING",
    ROW_NUMBER() OVER (PARTITION BY "PARTITION", "USER" ORDER BY "RATING" DESC NULLS LAST) AS "RANK"
  FROM "DISTINCT_JUDGMENTS"
  WHERE
    "RATING" > 0
), "IDEAL_PER_LIST" AS (
  /* ideal_per_list: aggregates over the rows of ideal, for each list */
  SELECT
    "PARTITION",
    "USER",
    SUM(
      CASE
        WHEN "RANK" <= 10
        THEN (
          POWER(CAST(2 AS DOUBLE), "RATING") - 1
        ) * (
          LN(2) / LN("RANK" + 1)
        )
      END
    ) AS "IDEAL_DCG_GAIN_EXPONENTIAL_AT_10"
  FROM "IDEAL"
  GROUP BY
    "PARTITION",
    "USER"
), "RELEVANT_REL_4" AS (
  /* relevant_rel_4: the rows of the truth with a relevant rating. */
  SELECT
    "PARTITION",
    "USER",
    "ITEM"
  FROM "JUDGMENTS"
  WHERE
    "RATING" >= 4
), "MATCHES_REL_4" AS (
  /* matches_rel_4: the recommendations of relevant items. */
  SELECT
    "RANKED"."PARTITION" AS "PARTITION",
    "RANKED"."ALGORITHM" AS "ALGORITHM",
    "RANKED"."USER" AS "USER",
    "RANKED"."ITEM"
  FROM "RANKED"
  JOIN "RELEVANT_REL_4"
    ON "RANKED"."PARTITION" = "RELEVANT_REL_4"."PARTITION"
    AND "RANKED"."USER" = "RELEVANT_REL_4"."USER"
    AND "RANKED"."ITEM" = "RELEVANT_REL_4"."ITEM"
), "UNNUMBERED_HITS_REL_4" AS (
  /* unnumbered_hits_rel_4: the relevant items that were recommended, each once, with its best rank and its highest rating. */
  SELECT
    "PARTITION",
    "ALGORITHM",
    "USER"
  FROM "MATCHES_REL_4"
  GROUP BY
    "PARTITION",
    "ALGORITHM",
    "USER",
    "ITEM"
), "HITS_REL_4_PER_LIST" AS (
  /* hits_rel_4_per_list: aggregates over the rows of unnumbered_hits_rel_4, for each list */
  SELECT
    "PARTITION",
    "ALGORITHM",
    "USER",
    COUNT(*) AS "N_HITS_REL_4"
  FROM "UNNUMBERED_HITS_REL_4"
  GROUP BY
    "PARTITION",
    "ALGORITHM",
    "USER"
), "RECOMMENDED_PER_LIST" AS (
  /* recommended_per_list: aggregates over the rows of ranked, for each list */
  SELECT
    "PARTITION",
    "ALGORITHM",
    "USER",
    COUNT(*) AS "N_RECOMMENDED"
  FROM "RANKED"
  GROUP BY
    "PARTITION",
    "ALGORITHM",
    "USER"
), "STOP_CHANCES_STOP_GRADED" AS (
  /* stop_chances_stop_graded: the hits, with the probability that a reader stops at each. */
  SELECT
    "PARTITION",
    "ALGORITHM",
    "USER",
    "RANK",
    CASE
      WHEN "RATING" <= 5
      THEN LEAST_IGNORE_NULLS(
        CAST((
          POWER(CAST(2 AS DOUBLE), "RATING") - 1
        ) AS DOUBLE) / POWER(CAST(2 AS DOUBLE), 5),
        CAST(0.999999999999999 AS DOUBLE)
      )
    END AS "STOP"
  FROM "UNNUMBERED_HITS"
), "CASCADE_STOP_GRADED" AS (
  /* cascade_stop_graded: the hits, for a reader who reads down the list and may stop at each hit. */
  SELECT
    "PARTITION",
    "ALGORITHM",
    "USER",
    "RANK",
    "STOP",
    EXP(
      SUM(LN(1 - "STOP")) OVER (
        PARTITION BY "PARTITION", "ALGORITHM", "USER"
        ORDER BY "RANK" NULLS FIRST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      )
    ) / (
      1 - "STOP"
    ) AS "REACHED"
  FROM "STOP_CHANCES_STOP_GRADED"
), "CASCADE_STOP_GRADED_PER_LIST" AS (
  /* cascade_stop_graded_per_list: aggregates over the rows of cascade_stop_graded, for each list */
  SELECT
    "PARTITION",
    "ALGORITHM",
    "USER",
    COUNT(CASE WHEN "RANK" <= 10 THEN 1 END) AS "EXPECTED_STOP_STOP_GRADED_AT_10_COUNT",
    COUNT(CASE WHEN "RANK" <= 10 THEN "STOP" END) AS "EXPECTED_STOP_STOP_GRADED_AT_10_COUNT_OF_STOP",
    SUM(CASE WHEN "RANK" <= 10 THEN CAST("STOP" * "REACHED" AS DOUBLE) / "RANK" END) AS "EXPECTED_STOP_STOP_GRADED_AT_10_SUM_OF_RANK_AND_REACHED_AND_STOP"
  FROM "CASCADE_STOP_GRADED"
  GROUP BY
    "PARTITION",
    "ALGORITHM",
    "USER"
), "RELEVANT_COUNTS" AS (
  /* relevant_counts: the number of rows, items and relevant items of each truth list. */
  SELECT
    "PARTITION",
    "USER",
    COUNT(DISTINCT CASE WHEN "RATING" > 0 THEN "ITEM" END) AS "N_RELEVANT"
  FROM "JUDGMENTS"
  GROUP BY
    "PARTITION",
    "USER"
), "RELEVANT_COUNTS_PER_LIST" AS (
  /* relevant_counts_per_list: aggregates over the rows of relevant_counts, for each list */
  SELECT
    "PARTITION",
    "USER",
    "N_RELEVANT"
  FROM "RELEVANT_COUNTS"
), "SYSTEMS" AS (
  /* systems: the compared systems: the distinct values of the list columns that only the recommendations have. */
  SELECT DISTINCT
    "ALGORITHM"
  FROM "DB"."RECS"
  WHERE
    "PARTITION" IS NOT NULL AND "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
), "LISTS" AS (
  /* lists: the lists that the means are taken over: every list of the truth, for every system. */
  SELECT
    "RELEVANT_COUNTS"."PARTITION" AS "PARTITION",
    "RELEVANT_COUNTS"."USER" AS "USER",
    "SYSTEMS"."ALGORITHM" AS "ALGORITHM"
  FROM "RELEVANT_COUNTS"
  CROSS JOIN "SYSTEMS"
), "MEASURED" AS (
  /* measured: one row per list, with the aggregates that its metrics need */
  SELECT
    "LISTS"."PARTITION",
    "LISTS"."ALGORITHM",
    "LISTS"."USER",
    COALESCE("HITS_PER_LIST"."DCG_BY_RANK_GAIN_EXPONENTIAL_AT_10", 0) AS "DCG_BY_RANK_GAIN_EXPONENTIAL_AT_10",
    COALESCE("IDEAL_PER_LIST"."IDEAL_DCG_GAIN_EXPONENTIAL_AT_10", 0) AS "IDEAL_DCG_GAIN_EXPONENTIAL_AT_10",
    COALESCE("HITS_REL_4_PER_LIST"."N_HITS_REL_4", 0) AS "N_HITS_REL_4",
    COALESCE("RECOMMENDED_PER_LIST"."N_RECOMMENDED", 0) AS "N_RECOMMENDED",
    CASE
      WHEN COALESCE("CASCADE_STOP_GRADED_PER_LIST"."EXPECTED_STOP_STOP_GRADED_AT_10_COUNT", 0) = COALESCE("CASCADE_STOP_GRADED_PER_LIST"."EXPECTED_STOP_STOP_GRADED_AT_10_COUNT_OF_STOP", 0)
      THEN COALESCE("CASCADE_STOP_GRADED_PER_LIST"."EXPECTED_STOP_STOP_GRADED_AT_10_SUM_OF_RANK_AND_REACHED_AND_STOP", 0)
    END AS "EXPECTED_STOP_STOP_GRADED_AT_10",
    COALESCE("RELEVANT_COUNTS_PER_LIST"."N_RELEVANT", 0) AS "N_RELEVANT"
  FROM "LISTS"
  LEFT JOIN "HITS_PER_LIST"
    ON "LISTS"."PARTITION" = "HITS_PER_LIST"."PARTITION"
    AND "LISTS"."ALGORITHM" = "HITS_PER_LIST"."ALGORITHM"
    AND "LISTS"."USER" = "HITS_PER_LIST"."USER"
  LEFT JOIN "IDEAL_PER_LIST"
    ON "LISTS"."PARTITION" = "IDEAL_PER_LIST"."PARTITION" AND "LISTS"."USER" = "IDEAL_PER_LIST"."USER"
  LEFT JOIN "HITS_REL_4_PER_LIST"
    ON "LISTS"."PARTITION" = "HITS_REL_4_PER_LIST"."PARTITION"
    AND "LISTS"."ALGORITHM" = "HITS_REL_4_PER_LIST"."ALGORITHM"
    AND "LISTS"."USER" = "HITS_REL_4_PER_LIST"."USER"
  LEFT JOIN "RECOMMENDED_PER_LIST"
    ON "LISTS"."PARTITION" = "RECOMMENDED_PER_LIST"."PARTITION"
    AND "LISTS"."ALGORITHM" = "RECOMMENDED_PER_LIST"."ALGORITHM"
    AND "LISTS"."USER" = "RECOMMENDED_PER_LIST"."USER"
  LEFT JOIN "CASCADE_STOP_GRADED_PER_LIST"
    ON "LISTS"."PARTITION" = "CASCADE_STOP_GRADED_PER_LIST"."PARTITION"
    AND "LISTS"."ALGORITHM" = "CASCADE_STOP_GRADED_PER_LIST"."ALGORITHM"
    AND "LISTS"."USER" = "CASCADE_STOP_GRADED_PER_LIST"."USER"
  LEFT JOIN "RELEVANT_COUNTS_PER_LIST"
    ON "LISTS"."PARTITION" = "RELEVANT_COUNTS_PER_LIST"."PARTITION"
    AND "LISTS"."USER" = "RELEVANT_COUNTS_PER_LIST"."USER"
)
SELECT
  "PARTITION",
  "ALGORITHM",
  "USER",
  CAST("DCG_BY_RANK_GAIN_EXPONENTIAL_AT_10" AS DOUBLE) / NULLIF("IDEAL_DCG_GAIN_EXPONENTIAL_AT_10", 0) AS "NDCG_GAIN_EXPONENTIAL_AT_10",
  CAST("N_HITS_REL_4" AS DOUBLE) / NULLIF("N_RECOMMENDED", 0) AS "PRECISION_REL_4_DIVISOR_LIST",
  CASE WHEN "N_RELEVANT" > 0 THEN "EXPECTED_STOP_STOP_GRADED_AT_10" END AS "ERR_STOP_GRADED_AT_10"
FROM "MEASURED"
