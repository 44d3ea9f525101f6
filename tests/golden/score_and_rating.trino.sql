-- Ranked by score, graded by rating, over a partition, one row per list.
-- ndcg(gain=exponential)@10, precision(rel=4, divisor=list), err(stop=graded)@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each partition, algorithm, user.
-- ndcg(gain=exponential)@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
-- precision(rel=4, divisor=list): share of the first k positions that hold a relevant item.
-- err(stop=graded)@10: expected reciprocal rank: expected 1 / rank of the hit at which a reader stops, if the reader stops at each hit with probability `stop`.
WITH "ranked" AS (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT
    "partition",
    "algorithm",
    "user",
    "item",
    ROW_NUMBER() OVER (
      PARTITION BY "partition", "algorithm", "user"
      ORDER BY CASE WHEN IS_NAN("score") THEN NULL ELSE "score" END DESC, "item"
    ) AS "rank"
  FROM "db"."recs"
  WHERE "partition" IS NOT NULL AND "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "judgments" AS (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    "partition",
    "user",
    "item",
    COALESCE(
      CASE WHEN IS_NAN(CAST("rating" AS DOUBLE)) THEN NULL ELSE CAST("rating" AS DOUBLE) END,
      CAST(1 AS DOUBLE)
    ) AS "rating"
  FROM "db"."truth"
  WHERE "partition" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "unnumbered_hits" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT
    "ranked"."partition",
    "ranked"."algorithm",
    "ranked"."user",
    MIN("ranked"."rank") AS "rank",
    MAX("judgments"."rating") AS "rating"
  FROM "ranked"
  JOIN "judgments"
    ON "ranked"."partition" = "judgments"."partition"
    AND "ranked"."user" = "judgments"."user"
    AND "ranked"."item" = "judgments"."item"
  WHERE "judgments"."rating" > 0
  GROUP BY "ranked"."partition", "ranked"."algorithm", "ranked"."user", "ranked"."item"
), "hits_per_list" AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "partition",
    "algorithm",
    "user",
    SUM((
      POWER(CAST(2 AS DOUBLE), "rating") - 1
    ) * (
      LN(2) / LN("rank" + 1)
    )) FILTER(WHERE "rank" <= 10) AS "dcg_by_rank_gain_exponential_at_10"
  FROM "unnumbered_hits"
  GROUP BY "partition", "algorithm", "user"
), "distinct_judgments" AS (
  /* distinct_judgments: one row per truth list and item. A repeated item keeps its highest rating. */
  SELECT "partition", "user", MAX("rating") AS "rating"
  FROM "judgments"
  GROUP BY "partition", "user", "item"
), "ideal" AS (
  /* ideal: one row per truth list and relevant item, ranked by rating, the highest first. */
  SELECT
    "partition",
    "user",
    "rating",
    ROW_NUMBER() OVER (PARTITION BY "partition", "user" ORDER BY "rating" DESC) AS "rank"
  FROM "distinct_judgments"
  WHERE "rating" > 0
), "ideal_per_list" AS (
  /* ideal_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT
    "partition",
    "user",
    SUM((
      POWER(CAST(2 AS DOUBLE), "rating") - 1
    ) * (
      LN(2) / LN("rank" + 1)
    )) FILTER(WHERE "rank" <= 10) AS "ideal_dcg_gain_exponential_at_10"
  FROM "ideal"
  GROUP BY "partition", "user"
), "unnumbered_hits_rel_4" AS (
  /* unnumbered_hits_rel_4: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "ranked"."partition", "ranked"."algorithm", "ranked"."user"
  FROM "ranked"
  JOIN "judgments"
    ON "ranked"."partition" = "judgments"."partition"
    AND "ranked"."user" = "judgments"."user"
    AND "ranked"."item" = "judgments"."item"
  WHERE "judgments"."rating" >= 4
  GROUP BY "ranked"."partition", "ranked"."algorithm", "ranked"."user", "ranked"."item"
), "hits_rel_4_per_list" AS (
  /* hits_rel_4_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "partition", "algorithm", "user", COUNT(*) AS "n_hits_rel_4"
  FROM "unnumbered_hits_rel_4"
  GROUP BY "partition", "algorithm", "user"
), "recommended_per_list" AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "partition", "algorithm", "user", COUNT(*) AS "n_recommended"
  FROM "ranked"
  GROUP BY "partition", "algorithm", "user"
), "stop_chances_stop_graded" AS (
  /* stop_chances_stop_graded: one row per hit, with the probability that a reader who gets to it stops there. */
  SELECT
    "partition",
    "algorithm",
    "user",
    "rank",
    CASE
      WHEN "rating" <= 5
      THEN COALESCE(
        LEAST(
          CAST((
            POWER(CAST(2 AS DOUBLE), "rating") - 1
          ) AS DOUBLE) / POWER(CAST(2 AS DOUBLE), 5),
          CAST(0.999999999999999 AS DOUBLE)
        ),
        CAST((
          POWER(CAST(2 AS DOUBLE), "rating") - 1
        ) AS DOUBLE) / POWER(CAST(2 AS DOUBLE), 5),
        CAST(0.999999999999999 AS DOUBLE)
      )
    END AS "stop"
  FROM "unnumbered_hits"
), "cascade_stop_graded" AS (
  /* cascade_stop_graded: one row per hit, with the probabilities that a reader gets to it and stops there. */
  SELECT
    "partition",
    "algorithm",
    "user",
    "rank",
    "stop",
    EXP(
      SUM(LN(1 - "stop")) OVER (
        PARTITION BY "partition", "algorithm", "user"
        ORDER BY "rank" NULLS FIRST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      )
    ) / (
      1 - "stop"
    ) AS "reached"
  FROM "stop_chances_stop_graded"
), "cascade_stop_graded_per_list" AS (
  /* cascade_stop_graded_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "partition",
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE "rank" <= 10) AS "expected_stop_stop_graded_at_10_count",
    COUNT("stop") FILTER(WHERE "rank" <= 10) AS "expected_stop_stop_graded_at_10_count_of_stop",
    SUM(CAST("stop" * "reached" AS DOUBLE) / "rank") FILTER(WHERE
      "rank" <= 10) AS "expected_stop_stop_graded_at_10_sum_of_rank_and_reached_and_stop"
  FROM "cascade_stop_graded"
  GROUP BY "partition", "algorithm", "user"
), "relevant_counts" AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "partition", "user", COUNT(DISTINCT "item") FILTER(WHERE "rating" > 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY "partition", "user"
), "systems" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "algorithm"
  FROM "db"."recs"
  WHERE "partition" IS NOT NULL AND "algorithm" IS NOT NULL AND "user" IS NOT NULL
)
SELECT
  "relevant_counts"."partition",
  "systems"."algorithm",
  "relevant_counts"."user",
  CAST(COALESCE("hits_per_list"."dcg_by_rank_gain_exponential_at_10", 0) AS DOUBLE) / NULLIF(COALESCE("ideal_per_list"."ideal_dcg_gain_exponential_at_10", 0), 0) AS "ndcg_gain_exponential_at_10",
  CAST(COALESCE("hits_rel_4_per_list"."n_hits_rel_4", 0) AS DOUBLE) / NULLIF(COALESCE("recommended_per_list"."n_recommended", 0), 0) AS "precision_rel_4_divisor_list",
  CASE
    WHEN COALESCE("relevant_counts"."n_relevant", 0) > 0
    THEN CASE
      WHEN COALESCE("cascade_stop_graded_per_list"."expected_stop_stop_graded_at_10_count", 0) = COALESCE("cascade_stop_graded_per_list"."expected_stop_stop_graded_at_10_count_of_stop", 0)
      THEN COALESCE("cascade_stop_graded_per_list"."expected_stop_stop_graded_at_10_sum_of_rank_and_reached_and_stop", 0)
    END
  END AS "err_stop_graded_at_10"
FROM "relevant_counts"
CROSS JOIN "systems"
LEFT JOIN "hits_per_list"
  ON "relevant_counts"."partition" = "hits_per_list"."partition"
  AND "systems"."algorithm" = "hits_per_list"."algorithm"
  AND "relevant_counts"."user" = "hits_per_list"."user"
LEFT JOIN "ideal_per_list"
  ON "relevant_counts"."partition" = "ideal_per_list"."partition"
  AND "relevant_counts"."user" = "ideal_per_list"."user"
LEFT JOIN "hits_rel_4_per_list"
  ON "relevant_counts"."partition" = "hits_rel_4_per_list"."partition"
  AND "systems"."algorithm" = "hits_rel_4_per_list"."algorithm"
  AND "relevant_counts"."user" = "hits_rel_4_per_list"."user"
LEFT JOIN "recommended_per_list"
  ON "relevant_counts"."partition" = "recommended_per_list"."partition"
  AND "systems"."algorithm" = "recommended_per_list"."algorithm"
  AND "relevant_counts"."user" = "recommended_per_list"."user"
LEFT JOIN "cascade_stop_graded_per_list"
  ON "relevant_counts"."partition" = "cascade_stop_graded_per_list"."partition"
  AND "systems"."algorithm" = "cascade_stop_graded_per_list"."algorithm"
  AND "relevant_counts"."user" = "cascade_stop_graded_per_list"."user"
