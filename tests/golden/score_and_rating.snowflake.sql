-- Ranked by score, graded by rating, over a partition, one row per list.
-- ndcg(gain=exponential)@10, precision(rel=4, divisor=list), err(stop=graded)@10
-- Written by rankmetrics 0.1.0 for recommendations DB.RECS, truth DB.TRUTH, a list for each PARTITION, ALGORITHM, USER.
-- ndcg(gain=exponential)@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
-- precision(rel=4, divisor=list): share of the first k positions that hold a relevant item.
-- err(stop=graded)@10: expected reciprocal rank: expected 1 / rank of the hit at which a reader stops, if the reader stops at each hit with probability `stop`.
WITH "RANKED" AS (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
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
  WHERE "PARTITION" IS NOT NULL AND "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "JUDGMENTS" AS (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    "PARTITION",
    "USER",
    "ITEM",
    COALESCE(NULLIF(CAST("RATING" AS DOUBLE), CAST('NaN' AS DOUBLE)), CAST(1 AS DOUBLE)) AS "RATING"
  FROM "DB"."TRUTH"
  WHERE "PARTITION" IS NOT NULL AND "USER" IS NOT NULL AND "ITEM" IS NOT NULL
), "UNNUMBERED_HITS" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT
    "RANKED"."PARTITION",
    "RANKED"."ALGORITHM",
    "RANKED"."USER",
    MIN("RANKED"."RANK") AS "RANK",
    MAX("JUDGMENTS"."RATING") AS "RATING"
  FROM "RANKED"
  JOIN "JUDGMENTS"
    ON "RANKED"."PARTITION" = "JUDGMENTS"."PARTITION"
    AND "RANKED"."USER" = "JUDGMENTS"."USER"
    AND "RANKED"."ITEM" = "JUDGMENTS"."ITEM"
  WHERE "JUDGMENTS"."RATING" > 0
  GROUP BY "RANKED"."PARTITION", "RANKED"."ALGORITHM", "RANKED"."USER", "RANKED"."ITEM"
), "HITS_PER_LIST" AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
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
  GROUP BY "PARTITION", "ALGORITHM", "USER"
), "DISTINCT_JUDGMENTS" AS (
  /* distinct_judgments: one row per truth list and item. A repeated item keeps its highest rating. */
  SELECT "PARTITION", "USER", MAX("RATING") AS "RATING"
  FROM "JUDGMENTS"
  GROUP BY "PARTITION", "USER", "ITEM"
), "IDEAL" AS (
  /* ideal: one row per truth list and relevant item, ranked by rating, the highest first. */
  SELECT
    "PARTITION",
    "USER",
    "RATING",
    ROW_NUMBER() OVER (PARTITION BY "PARTITION", "USER" ORDER BY "RATING" DESC NULLS LAST) AS "RANK"
  FROM "DISTINCT_JUDGMENTS"
  WHERE "RATING" > 0
), "IDEAL_PER_LIST" AS (
  /* ideal_per_list: one row per truth list, with aggregates that metrics are computed from */
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
  GROUP BY "PARTITION", "USER"
), "UNNUMBERED_HITS_REL_4" AS (
  /* unnumbered_hits_rel_4: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "RANKED"."PARTITION", "RANKED"."ALGORITHM", "RANKED"."USER"
  FROM "RANKED"
  JOIN "JUDGMENTS"
    ON "RANKED"."PARTITION" = "JUDGMENTS"."PARTITION"
    AND "RANKED"."USER" = "JUDGMENTS"."USER"
    AND "RANKED"."ITEM" = "JUDGMENTS"."ITEM"
  WHERE "JUDGMENTS"."RATING" >= 4
  GROUP BY "RANKED"."PARTITION", "RANKED"."ALGORITHM", "RANKED"."USER", "RANKED"."ITEM"
), "HITS_REL_4_PER_LIST" AS (
  /* hits_rel_4_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "PARTITION", "ALGORITHM", "USER", COUNT(*) AS "N_HITS_REL_4"
  FROM "UNNUMBERED_HITS_REL_4"
  GROUP BY "PARTITION", "ALGORITHM", "USER"
), "RECOMMENDED_PER_LIST" AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "PARTITION", "ALGORITHM", "USER", COUNT(*) AS "N_RECOMMENDED"
  FROM "RANKED"
  GROUP BY "PARTITION", "ALGORITHM", "USER"
), "STOP_CHANCES_STOP_GRADED" AS (
  /* stop_chances_stop_graded: one row per hit, with the probability that a reader who gets to it stops there. */
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
  /* cascade_stop_graded: one row per hit, with the probabilities that a reader gets to it and stops there. */
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
  /* cascade_stop_graded_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "PARTITION",
    "ALGORITHM",
    "USER",
    COUNT(CASE WHEN "RANK" <= 10 THEN 1 END) AS "EXPECTED_STOP_STOP_GRADED_AT_10_COUNT",
    COUNT(CASE WHEN "RANK" <= 10 THEN "STOP" END) AS "EXPECTED_STOP_STOP_GRADED_AT_10_COUNT_OF_STOP",
    SUM(CASE WHEN "RANK" <= 10 THEN CAST("STOP" * "REACHED" AS DOUBLE) / "RANK" END) AS "EXPECTED_STOP_STOP_GRADED_AT_10_SUM_OF_RANK_AND_REACHED_AND_STOP"
  FROM "CASCADE_STOP_GRADED"
  GROUP BY "PARTITION", "ALGORITHM", "USER"
), "RELEVANT_COUNTS" AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "PARTITION", "USER", COUNT(DISTINCT CASE WHEN "RATING" > 0 THEN "ITEM" END) AS "N_RELEVANT"
  FROM "JUDGMENTS"
  GROUP BY "PARTITION", "USER"
), "SYSTEMS" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "ALGORITHM"
  FROM "DB"."RECS"
  WHERE "PARTITION" IS NOT NULL AND "ALGORITHM" IS NOT NULL AND "USER" IS NOT NULL
)
SELECT
  "RELEVANT_COUNTS"."PARTITION",
  "SYSTEMS"."ALGORITHM",
  "RELEVANT_COUNTS"."USER",
  CAST(COALESCE("HITS_PER_LIST"."DCG_BY_RANK_GAIN_EXPONENTIAL_AT_10", 0) AS DOUBLE) / NULLIF(COALESCE("IDEAL_PER_LIST"."IDEAL_DCG_GAIN_EXPONENTIAL_AT_10", 0), 0) AS "NDCG_GAIN_EXPONENTIAL_AT_10",
  CAST(COALESCE("HITS_REL_4_PER_LIST"."N_HITS_REL_4", 0) AS DOUBLE) / NULLIF(COALESCE("RECOMMENDED_PER_LIST"."N_RECOMMENDED", 0), 0) AS "PRECISION_REL_4_DIVISOR_LIST",
  CASE
    WHEN COALESCE("RELEVANT_COUNTS"."N_RELEVANT", 0) > 0
    THEN CASE
      WHEN COALESCE("CASCADE_STOP_GRADED_PER_LIST"."EXPECTED_STOP_STOP_GRADED_AT_10_COUNT", 0) = COALESCE("CASCADE_STOP_GRADED_PER_LIST"."EXPECTED_STOP_STOP_GRADED_AT_10_COUNT_OF_STOP", 0)
      THEN COALESCE("CASCADE_STOP_GRADED_PER_LIST"."EXPECTED_STOP_STOP_GRADED_AT_10_SUM_OF_RANK_AND_REACHED_AND_STOP", 0)
    END
  END AS "ERR_STOP_GRADED_AT_10"
FROM "RELEVANT_COUNTS"
CROSS JOIN "SYSTEMS"
LEFT JOIN "HITS_PER_LIST"
  ON "RELEVANT_COUNTS"."PARTITION" = "HITS_PER_LIST"."PARTITION"
  AND "SYSTEMS"."ALGORITHM" = "HITS_PER_LIST"."ALGORITHM"
  AND "RELEVANT_COUNTS"."USER" = "HITS_PER_LIST"."USER"
LEFT JOIN "IDEAL_PER_LIST"
  ON "RELEVANT_COUNTS"."PARTITION" = "IDEAL_PER_LIST"."PARTITION"
  AND "RELEVANT_COUNTS"."USER" = "IDEAL_PER_LIST"."USER"
LEFT JOIN "HITS_REL_4_PER_LIST"
  ON "RELEVANT_COUNTS"."PARTITION" = "HITS_REL_4_PER_LIST"."PARTITION"
  AND "SYSTEMS"."ALGORITHM" = "HITS_REL_4_PER_LIST"."ALGORITHM"
  AND "RELEVANT_COUNTS"."USER" = "HITS_REL_4_PER_LIST"."USER"
LEFT JOIN "RECOMMENDED_PER_LIST"
  ON "RELEVANT_COUNTS"."PARTITION" = "RECOMMENDED_PER_LIST"."PARTITION"
  AND "SYSTEMS"."ALGORITHM" = "RECOMMENDED_PER_LIST"."ALGORITHM"
  AND "RELEVANT_COUNTS"."USER" = "RECOMMENDED_PER_LIST"."USER"
LEFT JOIN "CASCADE_STOP_GRADED_PER_LIST"
  ON "RELEVANT_COUNTS"."PARTITION" = "CASCADE_STOP_GRADED_PER_LIST"."PARTITION"
  AND "SYSTEMS"."ALGORITHM" = "CASCADE_STOP_GRADED_PER_LIST"."ALGORITHM"
  AND "RELEVANT_COUNTS"."USER" = "CASCADE_STOP_GRADED_PER_LIST"."USER"
