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
      ORDER BY NULLIF("score", CAST('NaN' AS DOUBLE)) DESC NULLS LAST, "item"
    ) AS "rank"
  FROM "db"."recs"
  WHERE "partition" IS NOT NULL AND "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "recommended" AS (
  /* recommended: one row per recommendation down to the largest cutoff. */
  SELECT "partition", "algorithm", "user", "item", "rank"
  FROM "ranked"
), "judgments" AS NOT MATERIALIZED (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    "partition",
    "user",
    "item",
    COALESCE(NULLIF(CAST("rating" AS DOUBLE), CAST('NaN' AS DOUBLE)), CAST(1 AS DOUBLE)) AS "rating"
  FROM "db"."truth"
  WHERE "partition" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "relevant" AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT "partition", "user", "item", "rating"
  FROM "judgments"
  WHERE "rating" > 0
), "matches" AS MATERIALIZED (
  /* matches: one row per recommendation of a relevant item. */
  SELECT
    "recommended"."partition" AS "partition",
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."item",
    "recommended"."rank",
    "relevant"."rating"
  FROM "recommended"
  JOIN "relevant"
    ON "recommended"."partition" = "relevant"."partition"
    AND "recommended"."user" = "relevant"."user"
    AND "recommended"."item" = "relevant"."item"
), "unnumbered_hits" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "partition", "algorithm", "user", MIN("rank") AS "rank", MAX("rating") AS "rating"
  FROM "matches"
  GROUP BY "partition", "algorithm", "user", "item"
), "hits" AS (
  /* hits: one row per hit, numbered from the top of the list. */
  SELECT "partition", "algorithm", "user", "rank", "rating"
  FROM "unnumbered_hits"
), "hits_per_list" AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "partition",
    "algorithm",
    "user",
    SUM(
      CASE
        WHEN "rank" <= 10
        THEN (
          POWER(CAST(2 AS DOUBLE), LEAST("rating", 900)) - 1
        ) * (
          LN(2) / LN("rank" + 1)
        )
      END
    ) AS "dcg_by_rank(gain=exponential)@10"
  FROM "hits"
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
    ROW_NUMBER() OVER (PARTITION BY "partition", "user" ORDER BY "rating" DESC NULLS LAST) AS "rank"
  FROM "distinct_judgments"
  WHERE "rating" > 0
), "ideal_per_list" AS (
  /* ideal_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT
    "partition",
    "user",
    SUM(
      CASE
        WHEN "rank" <= 10
        THEN (
          POWER(CAST(2 AS DOUBLE), LEAST("rating", 900)) - 1
        ) * (
          LN(2) / LN("rank" + 1)
        )
      END
    ) AS "ideal_dcg(gain=exponential)@10",
    MAX(CASE WHEN "rank" <= 1 THEN "rating" END) AS "highest_rating"
  FROM "ideal"
  GROUP BY "partition", "user"
), "relevant_rel_4" AS (
  /* relevant_rel_4: the rows of the truth with a relevant rating. */
  SELECT "partition", "user", "item"
  FROM "judgments"
  WHERE "rating" >= 4
), "matches_rel_4" AS MATERIALIZED (
  /* matches_rel_4: one row per recommendation of a relevant item. */
  SELECT
    "recommended"."partition" AS "partition",
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."item"
  FROM "recommended"
  JOIN "relevant_rel_4"
    ON "recommended"."partition" = "relevant_rel_4"."partition"
    AND "recommended"."user" = "relevant_rel_4"."user"
    AND "recommended"."item" = "relevant_rel_4"."item"
), "unnumbered_hits_rel_4" AS (
  /* unnumbered_hits_rel_4: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "partition", "algorithm", "user"
  FROM "matches_rel_4"
  GROUP BY "partition", "algorithm", "user", "item"
), "hits_rel_4" AS (
  /* hits_rel_4: one row per hit, numbered from the top of the list. */
  SELECT "partition", "algorithm", "user"
  FROM "unnumbered_hits_rel_4"
), "hits_rel_4_per_list" AS (
  /* hits_rel_4_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "partition", "algorithm", "user", COUNT(*) AS "n_hits(rel=4)"
  FROM "hits_rel_4"
  GROUP BY "partition", "algorithm", "user"
), "recommended_per_list" AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "partition", "algorithm", "user", COUNT(*) AS "n_recommended"
  FROM "recommended"
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
      THEN LEAST(
        (
          POWER(CAST(2 AS DOUBLE), "rating") - 1
        ) / POWER(CAST(2 AS DOUBLE), 5),
        CAST(0.999999999999999 AS DOUBLE)
      )
    END AS "stop"
  FROM "hits"
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
    COUNT(CASE WHEN "rank" <= 10 THEN 1 END) AS "expected_stop(stop=graded)@10 count",
    COUNT(CASE WHEN "rank" <= 10 THEN "stop" END) AS "expected_stop(stop=graded)@10 count of stop",
    SUM(CASE WHEN "rank" <= 10 THEN "stop" * "reached" * (
      CAST(1 AS DOUBLE) / "rank"
    ) END) AS "expected_stop(stop=graded)@10 sum of rank and reached and stop"
  FROM "cascade_stop_graded"
  GROUP BY "partition", "algorithm", "user"
), "relevant_counts" AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "partition", "user", COUNT(DISTINCT "item") FILTER(WHERE "rating" > 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY "partition", "user"
), "truth_lists" AS (
  /* truth_lists: one row per truth list. */
  SELECT "partition", "user", "n_relevant"
  FROM "relevant_counts"
), "systems" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "algorithm"
  FROM "db"."recs"
  WHERE "partition" IS NOT NULL AND "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists" AS (
  /* lists: one row per scored list: every list of the truth, for every system of its partition. */
  SELECT
    "truth_lists"."partition" AS "partition",
    "truth_lists"."user" AS "user",
    "systems"."algorithm" AS "algorithm",
    "truth_lists"."n_relevant"
  FROM "truth_lists"
  CROSS JOIN "systems"
), "measured" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "lists"."partition",
    "lists"."algorithm",
    "lists"."user",
    COALESCE("hits_per_list"."dcg_by_rank(gain=exponential)@10", 0) AS "dcg_by_rank(gain=exponential)@10",
    COALESCE("ideal_per_list"."ideal_dcg(gain=exponential)@10", 0) AS "ideal_dcg(gain=exponential)@10",
    COALESCE("ideal_per_list"."highest_rating", 0) AS "highest_rating",
    COALESCE("hits_rel_4_per_list"."n_hits(rel=4)", 0) AS "n_hits(rel=4)",
    COALESCE("recommended_per_list"."n_recommended", 0) AS "n_recommended",
    CASE
      WHEN COALESCE("cascade_stop_graded_per_list"."expected_stop(stop=graded)@10 count", 0) = COALESCE("cascade_stop_graded_per_list"."expected_stop(stop=graded)@10 count of stop", 0)
      THEN COALESCE("cascade_stop_graded_per_list"."expected_stop(stop=graded)@10 sum of rank and reached and stop", 0)
    END AS "expected_stop(stop=graded)@10",
    COALESCE("lists"."n_relevant", 0) AS "n_relevant"
  FROM "lists"
  LEFT JOIN "hits_per_list"
    ON "lists"."partition" = "hits_per_list"."partition"
    AND "lists"."algorithm" = "hits_per_list"."algorithm"
    AND "lists"."user" = "hits_per_list"."user"
  LEFT JOIN "ideal_per_list"
    ON "lists"."partition" = "ideal_per_list"."partition" AND "lists"."user" = "ideal_per_list"."user"
  LEFT JOIN "hits_rel_4_per_list"
    ON "lists"."partition" = "hits_rel_4_per_list"."partition"
    AND "lists"."algorithm" = "hits_rel_4_per_list"."algorithm"
    AND "lists"."user" = "hits_rel_4_per_list"."user"
  LEFT JOIN "recommended_per_list"
    ON "lists"."partition" = "recommended_per_list"."partition"
    AND "lists"."algorithm" = "recommended_per_list"."algorithm"
    AND "lists"."user" = "recommended_per_list"."user"
  LEFT JOIN "cascade_stop_graded_per_list"
    ON "lists"."partition" = "cascade_stop_graded_per_list"."partition"
    AND "lists"."algorithm" = "cascade_stop_graded_per_list"."algorithm"
    AND "lists"."user" = "cascade_stop_graded_per_list"."user"
)
SELECT
  "partition",
  "algorithm",
  "user",
  CASE
    WHEN "highest_rating" <= 900
    THEN "dcg_by_rank(gain=exponential)@10" / NULLIF("ideal_dcg(gain=exponential)@10", 0)
  END AS "ndcg(gain=exponential)@10",
  "n_hits(rel=4)" / NULLIF("n_recommended", 0) AS "precision(rel=4, divisor=list)",
  CASE WHEN "n_relevant" > 0 THEN "expected_stop(stop=graded)@10" END AS "err(stop=graded)@10"
FROM "measured"
