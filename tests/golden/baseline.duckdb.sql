-- What differs from another system's lists.
-- unexpectedness@10, serendipity@10, rbo@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, baseline db.baseline, a list for each algorithm, user.
-- unexpectedness@10: share of the first k recommendations that are not among the first k of the baseline.
-- serendipity@10: share of the first k recommendations that are relevant and not among the first k of the baseline.
-- rbo@10: rank-biased overlap of the first k recommendations with the first k of the baseline: mean of the overlap at each depth d, weighted by p^(d - 1).
WITH "ranked" AS NOT MATERIALIZED (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT "algorithm", "user", "item", CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL AND "rank" <= 10
), "recommended" AS (
  /* recommended: one row per recommendation down to the largest cutoff. */
  SELECT "algorithm", "user", "item", "rank"
  FROM "ranked"
  WHERE "rank" <= 10
), "recommended_per_list" AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "algorithm", "user", COUNT(CASE WHEN "rank" <= 10 THEN 1 END) AS "n_recommended@10"
  FROM "recommended"
  GROUP BY "algorithm", "user"
), "ranked_baseline" AS NOT MATERIALIZED (
  /* ranked_baseline: one row per recommendation of the baseline, with its rank. Rows with a NULL id are left out. */
  SELECT "user", "item", CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."baseline"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL AND "rank" <= 10
), "baseline_top_items" AS (
  /* baseline_top_items: one row per list of the baseline and item down to the largest cutoff, with the best rank of the item. */
  SELECT "user", "item", MIN("rank") AS "rank"
  FROM "ranked_baseline"
  WHERE "rank" <= 10
  GROUP BY "user", "item"
), "baseline_top_items_per_list" AS (
  /* baseline_top_items_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT "user", COUNT(CASE WHEN "rank" <= 10 THEN 1 END) AS "n_baseline@10"
  FROM "baseline_top_items"
  GROUP BY "user"
), "recommended_in_baseline" AS (
  /* recommended_in_baseline: one row per recommendation whose item is also in the baseline, with the larger of the item's two ranks. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    GREATEST("recommended"."rank", "baseline_top_items"."rank") AS "rank"
  FROM "recommended"
  JOIN "baseline_top_items"
    ON "recommended"."user" = "baseline_top_items"."user"
    AND "recommended"."item" = "baseline_top_items"."item"
), "recommended_in_baseline_per_list" AS (
  /* recommended_in_baseline_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "algorithm", "user", COUNT(CASE WHEN "rank" <= 10 THEN 1 END) AS "n_in_baseline@10"
  FROM "recommended_in_baseline"
  GROUP BY "algorithm", "user"
), "judgments" AS NOT MATERIALIZED (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT "user", "item", CAST(1 AS DOUBLE) AS "rating"
  FROM "db"."truth"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL
), "relevant" AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT "user", "item"
  FROM "judgments"
  WHERE "rating" > 0
), "matches" AS MATERIALIZED (
  /* matches: one row per recommendation of a relevant item. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."item",
    "recommended"."rank"
  FROM "recommended"
  JOIN "relevant" ON "recommended"."user" = "relevant"."user" AND "recommended"."item" = "relevant"."item"
), "unnumbered_hits" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "algorithm", "user", "item", MIN("rank") AS "rank"
  FROM "matches"
  GROUP BY "algorithm", "user", "item"
), "hits" AS (
  /* hits: one row per hit, numbered from the top of the list. */
  SELECT "algorithm", "user", "item", "rank"
  FROM "unnumbered_hits"
), "hits_per_list" AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "algorithm", "user", COUNT(CASE WHEN "rank" <= 10 THEN 1 END) AS "n_hits@10"
  FROM "hits"
  GROUP BY "algorithm", "user"
), "hits_in_baseline" AS (
  /* hits_in_baseline: one row per hit whose item is also in the baseline, with the larger of the item's two ranks. */
  SELECT
    "hits"."algorithm" AS "algorithm",
    "hits"."user" AS "user",
    GREATEST("hits"."rank", "baseline_top_items"."rank") AS "rank"
  FROM "hits"
  JOIN "baseline_top_items"
    ON "hits"."user" = "baseline_top_items"."user" AND "hits"."item" = "baseline_top_items"."item"
), "hits_in_baseline_per_list" AS (
  /* hits_in_baseline_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "algorithm", "user", COUNT(CASE WHEN "rank" <= 10 THEN 1 END) AS "n_hits_in_baseline@10"
  FROM "hits_in_baseline"
  GROUP BY "algorithm", "user"
), "overlap" AS (
  /* overlap: one row per list and item that its baseline has too, with the larger of the item's two ranks. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    GREATEST(MIN("recommended"."rank"), MIN("baseline_top_items"."rank")) AS "rank"
  FROM "recommended"
  JOIN "baseline_top_items"
    ON "recommended"."user" = "baseline_top_items"."user"
    AND "recommended"."item" = "baseline_top_items"."item"
  GROUP BY "recommended"."algorithm", "recommended"."user", "recommended"."item"
), "positions" AS NOT MATERIALIZED (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT "rank"
  FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) AS "positions"("rank")
), "overlap_by_position" AS (
  /* overlap_by_position: one row per list, item that its baseline has too, and rank from the item's own rank to the largest cutoff. */
  SELECT "overlap"."algorithm" AS "algorithm", "overlap"."user" AS "user", "positions"."rank"
  FROM "overlap"
  JOIN "positions" ON "overlap"."rank" <= "positions"."rank"
), "overlap_by_position_per_list" AS (
  /* overlap_by_position_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "algorithm",
    "user",
    SUM(CASE WHEN "rank" <= 10 THEN POWER(CAST(0.85 AS DOUBLE), "rank" - 1) / "rank" END) AS "agreements@10"
  FROM "overlap_by_position"
  GROUP BY "algorithm", "user"
), "truth_lists" AS (
  /* truth_lists: one row per truth list. */
  SELECT DISTINCT "user"
  FROM "judgments"
), "systems" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "algorithm"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists" AS (
  /* lists: one row per scored list: every list of the truth, for every system of its partition. */
  SELECT "truth_lists"."user" AS "user", "systems"."algorithm" AS "algorithm"
  FROM "truth_lists"
  CROSS JOIN "systems"
), "measured" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    COALESCE("recommended_per_list"."n_recommended@10", 0) AS "n_recommended@10",
    COALESCE("baseline_top_items_per_list"."n_baseline@10", 0) AS "n_baseline@10",
    COALESCE("recommended_in_baseline_per_list"."n_in_baseline@10", 0) AS "n_in_baseline@10",
    COALESCE("hits_per_list"."n_hits@10", 0) AS "n_hits@10",
    COALESCE("hits_in_baseline_per_list"."n_hits_in_baseline@10", 0) AS "n_hits_in_baseline@10",
    COALESCE("overlap_by_position_per_list"."agreements@10", 0) AS "agreements@10"
  FROM "lists"
  LEFT JOIN "recommended_per_list"
    ON "lists"."algorithm" = "recommended_per_list"."algorithm"
    AND "lists"."user" = "recommended_per_list"."user"
  LEFT JOIN "baseline_top_items_per_list" ON "lists"."user" = "baseline_top_items_per_list"."user"
  LEFT JOIN "recommended_in_baseline_per_list"
    ON "lists"."algorithm" = "recommended_in_baseline_per_list"."algorithm"
    AND "lists"."user" = "recommended_in_baseline_per_list"."user"
  LEFT JOIN "hits_per_list"
    ON "lists"."algorithm" = "hits_per_list"."algorithm" AND "lists"."user" = "hits_per_list"."user"
  LEFT JOIN "hits_in_baseline_per_list"
    ON "lists"."algorithm" = "hits_in_baseline_per_list"."algorithm"
    AND "lists"."user" = "hits_in_baseline_per_list"."user"
  LEFT JOIN "overlap_by_position_per_list"
    ON "lists"."algorithm" = "overlap_by_position_per_list"."algorithm"
    AND "lists"."user" = "overlap_by_position_per_list"."user"
), "per_list" AS (
  /* per_list: one row per scored list, with its metrics */
  SELECT
    "algorithm",
    "user",
    CASE
      WHEN "n_recommended@10" > 0 AND "n_baseline@10" > 0
      THEN 1 - "n_in_baseline@10" / CAST("n_recommended@10" AS DOUBLE)
      ELSE NULL
    END AS "unexpectedness@10",
    CASE
      WHEN "n_baseline@10" > 0
      THEN (
        "n_hits@10" - "n_hits_in_baseline@10"
      ) / CAST(NULLIF("n_recommended@10", 0) AS DOUBLE)
    END AS "serendipity@10",
    CASE
      WHEN "n_recommended@10" > 0 AND "n_baseline@10" > 0
      THEN "agreements@10" * (
        1 - CAST(0.85 AS DOUBLE)
      ) / (
        1 - POWER(CAST(0.85 AS DOUBLE), 10)
      )
    END AS "rbo@10"
  FROM "measured"
)
SELECT
  "algorithm",
  COUNT(*) AS "n_lists",
  AVG(CAST("unexpectedness@10" AS DOUBLE)) AS "unexpectedness@10",
  AVG(CAST("serendipity@10" AS DOUBLE)) AS "serendipity@10",
  AVG(CAST("rbo@10" AS DOUBLE)) AS "rbo@10"
FROM "per_list"
GROUP BY "algorithm"
ORDER BY "algorithm"
