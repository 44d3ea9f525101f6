-- What differs from another system's lists.
-- unexpectedness@10, serendipity@10, rbo@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, baseline db.baseline, a list for each algorithm, user.
-- unexpectedness@10: share of the first k recommendations that are not among the first k of the baseline.
-- serendipity@10: share of the first k recommendations that are relevant and not among the first k of the baseline.
-- rbo@10: rank-biased overlap of the first k recommendations with the first k of the baseline: mean of the overlap at each depth d, weighted by p^(d - 1).
WITH "recommended_per_list" AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "algorithm", "user", COUNT(*) AS "n_recommended_at_10"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL AND "rank" <= 10
  GROUP BY "algorithm", "user"
), "baseline_top_items" AS (
  /* baseline_top_items: one row per list of the baseline and item down to the largest cutoff, with the best rank of the item. */
  SELECT "user", "item", MIN(CAST("rank" AS BIGINT)) AS "rank"
  FROM "db"."baseline"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL AND "rank" <= 10
  GROUP BY "user", "item"
), "baseline_top_items_per_list" AS (
  /* baseline_top_items_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT "user", COUNT(*) AS "n_baseline_at_10"
  FROM "baseline_top_items"
  GROUP BY "user"
), "recommended_in_baseline_per_list" AS (
  /* recommended_in_baseline_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "recs"."algorithm",
    "recs"."user",
    COUNT(CASE WHEN GREATEST(CAST("recs"."rank" AS BIGINT), "baseline_top_items"."rank") <= 10 THEN 1 END) AS "n_in_baseline_at_10"
  FROM "db"."recs"
  JOIN "baseline_top_items"
    ON "recs"."user" = "baseline_top_items"."user" AND "recs"."item" = "baseline_top_items"."item"
  WHERE "recs"."algorithm" IS NOT NULL AND "recs"."rank" <= 10
  GROUP BY "recs"."algorithm", "recs"."user"
), "unnumbered_hits" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "recs"."algorithm", "recs"."user", "recs"."item", MIN(CAST("recs"."rank" AS BIGINT)) AS "rank"
  FROM "db"."recs"
  JOIN "db"."truth" ON "recs"."user" = "truth"."user" AND "recs"."item" = "truth"."item"
  WHERE "recs"."algorithm" IS NOT NULL AND "recs"."rank" <= 10
  GROUP BY "recs"."algorithm", "recs"."user", "recs"."item"
), "hits_per_list" AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "algorithm", "user", COUNT(*) AS "n_hits_at_10"
  FROM "unnumbered_hits"
  GROUP BY "algorithm", "user"
), "hits_in_baseline_per_list" AS (
  /* hits_in_baseline_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "unnumbered_hits"."algorithm",
    "unnumbered_hits"."user",
    COUNT(CASE WHEN GREATEST("unnumbered_hits"."rank", "baseline_top_items"."rank") <= 10 THEN 1 END) AS "n_hits_in_baseline_at_10"
  FROM "unnumbered_hits"
  JOIN "baseline_top_items"
    ON "unnumbered_hits"."user" = "baseline_top_items"."user"
    AND "unnumbered_hits"."item" = "baseline_top_items"."item"
  GROUP BY "unnumbered_hits"."algorithm", "unnumbered_hits"."user"
), "overlap" AS (
  /* overlap: one row per list and item that its baseline has too, with the larger of the item's two ranks. */
  SELECT
    "recs"."algorithm" AS "algorithm",
    "recs"."user" AS "user",
    GREATEST(MIN(CAST("recs"."rank" AS BIGINT)), MIN("baseline_top_items"."rank")) AS "rank"
  FROM "db"."recs"
  JOIN "baseline_top_items"
    ON "recs"."user" = "baseline_top_items"."user" AND "recs"."item" = "baseline_top_items"."item"
  WHERE "recs"."algorithm" IS NOT NULL AND "recs"."rank" <= 10
  GROUP BY "recs"."algorithm", "recs"."user", "recs"."item"
), "overlap_by_position_per_list" AS (
  /* overlap_by_position_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "overlap"."algorithm",
    "overlap"."user",
    SUM(
      CAST(POWER(CAST(0.85 AS DOUBLE PRECISION), LEAST("positions"."rank" - 1, 4356)) AS DOUBLE PRECISION) / "positions"."rank"
    ) AS "agreements_at_10"
  FROM "overlap"
  JOIN (
    SELECT 1 AS "rank" UNION ALL SELECT 2 AS "rank" UNION ALL SELECT 3 AS "rank" UNION ALL SELECT 4 AS "rank" UNION ALL
    SELECT 5 AS "rank" UNION ALL SELECT 6 AS "rank" UNION ALL SELECT 7 AS "rank" UNION ALL SELECT 8 AS "rank" UNION ALL
    SELECT 9 AS "rank" UNION ALL SELECT 10 AS "rank"
  ) AS "positions"
    ON "overlap"."rank" <= "positions"."rank"
  GROUP BY "overlap"."algorithm", "overlap"."user"
), "truth_lists" AS (
  /* truth_lists: one row per truth list. */
  SELECT DISTINCT "user"
  FROM "db"."truth"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL
), "systems" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "algorithm"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "measured" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "systems"."algorithm",
    "truth_lists"."user",
    COALESCE("recommended_per_list"."n_recommended_at_10", 0) AS "n_recommended_at_10",
    COALESCE("baseline_top_items_per_list"."n_baseline_at_10", 0) AS "n_baseline_at_10",
    COALESCE("recommended_in_baseline_per_list"."n_in_baseline_at_10", 0) AS "n_in_baseline_at_10",
    COALESCE("hits_per_list"."n_hits_at_10", 0) AS "n_hits_at_10",
    COALESCE("hits_in_baseline_per_list"."n_hits_in_baseline_at_10", 0) AS "n_hits_in_baseline_at_10",
    COALESCE("overlap_by_position_per_list"."agreements_at_10", 0) AS "agreements_at_10"
  FROM "truth_lists"
  CROSS JOIN "systems"
  LEFT JOIN "recommended_per_list"
    ON "systems"."algorithm" = "recommended_per_list"."algorithm"
    AND "truth_lists"."user" = "recommended_per_list"."user"
  LEFT JOIN "baseline_top_items_per_list" ON "truth_lists"."user" = "baseline_top_items_per_list"."user"
  LEFT JOIN "recommended_in_baseline_per_list"
    ON "systems"."algorithm" = "recommended_in_baseline_per_list"."algorithm"
    AND "truth_lists"."user" = "recommended_in_baseline_per_list"."user"
  LEFT JOIN "hits_per_list"
    ON "systems"."algorithm" = "hits_per_list"."algorithm" AND "truth_lists"."user" = "hits_per_list"."user"
  LEFT JOIN "hits_in_baseline_per_list"
    ON "systems"."algorithm" = "hits_in_baseline_per_list"."algorithm"
    AND "truth_lists"."user" = "hits_in_baseline_per_list"."user"
  LEFT JOIN "overlap_by_position_per_list"
    ON "systems"."algorithm" = "overlap_by_position_per_list"."algorithm"
    AND "truth_lists"."user" = "overlap_by_position_per_list"."user"
)
SELECT
  "algorithm",
  COUNT(*) AS "n_lists",
  AVG(
    CAST(CASE
      WHEN "n_recommended_at_10" > 0 AND "n_baseline_at_10" > 0
      THEN 1 - "n_in_baseline_at_10" / CAST("n_recommended_at_10" AS DOUBLE PRECISION)
      ELSE NULL
    END AS DOUBLE PRECISION)
  ) AS "unexpectedness_at_10",
  AVG(
    CAST(CASE
      WHEN "n_baseline_at_10" > 0
      THEN (
        "n_hits_at_10" - "n_hits_in_baseline_at_10"
      ) / CAST(NULLIF("n_recommended_at_10", 0) AS DOUBLE PRECISION)
    END AS DOUBLE PRECISION)
  ) AS "serendipity_at_10",
  AVG(
    CAST(CASE
      WHEN "n_recommended_at_10" > 0 AND "n_baseline_at_10" > 0
      THEN "agreements_at_10" * (
        1 - CAST(0.85 AS DOUBLE PRECISION)
      ) / (
        1 - POWER(CAST(0.85 AS DOUBLE PRECISION), LEAST(10, 4356))
      )
    END AS DOUBLE PRECISION)
  ) AS "rbo_at_10"
FROM "measured"
GROUP BY "algorithm"
ORDER BY "algorithm"
