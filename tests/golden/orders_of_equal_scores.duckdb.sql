-- The mean over all orders of equal scores, and the best order.
-- hit@10, ap@10, ndcg@10, rr(ties=best)@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each algorithm, user.
-- hit@10: 1 if a relevant item is among the first k recommendations, else 0. Its mean over lists is the hit rate.
-- ap@10: average precision: mean, over the relevant items, of the precision at the rank of each. Its mean over lists is MAP.
-- ndcg@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
-- rr(ties=best)@10: reciprocal rank: 1 / rank of the first hit, 0 if there is no hit among the first k. Its mean over lists is MRR.
WITH "ranked_ties_expected" AS (
  /* ranked_ties_expected: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT
    "algorithm",
    "user",
    "item",
    "score",
    "row_number" - MAX(
      CASE
        WHEN "algorithm" IS DISTINCT FROM "algorithm_1_before" OR "user" IS DISTINCT FROM "user_1_before"
        THEN "row_number"
      END
    ) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) + 1 AS "rank"
  FROM (
    SELECT
      "algorithm",
      "user",
      "item",
      "score",
      ROW_NUMBER() OVER () AS "row_number",
      LAG("algorithm") OVER () AS "algorithm_1_before",
      LAG("user") OVER () AS "user_1_before"
    FROM (
      /* sorted: list after list, each from its first rank down */
      SELECT "algorithm", "user", "item", NULLIF("score", CAST('NaN' AS DOUBLE)) AS "score"
      FROM "db"."recs"
      WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
      ORDER BY
        "recs"."algorithm",
        "recs"."user",
        NULLIF("recs"."score", CAST('NaN' AS DOUBLE)) DESC NULLS LAST,
        "recs"."item"
    ) AS "sorted"
  ) AS "numbered"
), "matches_ties_expected" AS MATERIALIZED (
  /* matches_ties_expected: one row per recommendation of a relevant item. */
  SELECT
    "ranked_ties_expected"."algorithm" AS "algorithm",
    "ranked_ties_expected"."user" AS "user",
    "ranked_ties_expected"."item",
    "ranked_ties_expected"."rank"
  FROM "ranked_ties_expected"
  JOIN "db"."truth" ON "ranked_ties_expected"."user" = "truth"."user" AND "ranked_ties_expected"."item" = "truth"."item"
), "unnumbered_hits_ties_expected" AS (
  /* unnumbered_hits_ties_expected: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "algorithm", "user", "item", MIN("rank") AS "rank", MAX("rank") AS "worst_rank"
  FROM "matches_ties_expected"
  GROUP BY "algorithm", "user", "item"
), "tied_ranks_ties_expected" AS (
  /* tied_ranks_ties_expected: one row per rank of a list, with the first and the last rank of the items that have the same score. */
  SELECT
    "algorithm",
    "user",
    "rank",
    MIN("rank") OVER (PARTITION BY "algorithm", "user", "score") AS "first_rank",
    MAX("rank") OVER (PARTITION BY "algorithm", "user", "score") AS "last_rank"
  FROM "ranked_ties_expected"
), "hits_in_ties_ties_expected" AS (
  /* hits_in_ties_ties_expected: one row per hit, with the first and the last rank of the items that have the same score. */
  SELECT
    "unnumbered_hits_ties_expected"."algorithm" AS "algorithm",
    "unnumbered_hits_ties_expected"."user" AS "user",
    "unnumbered_hits_ties_expected"."item",
    "unnumbered_hits_ties_expected"."rank",
    "unnumbered_hits_ties_expected"."worst_rank",
    "tied_ranks_ties_expected"."first_rank",
    "tied_ranks_ties_expected"."last_rank"
  FROM "unnumbered_hits_ties_expected"
  JOIN "tied_ranks_ties_expected"
    ON "unnumbered_hits_ties_expected"."algorithm" = "tied_ranks_ties_expected"."algorithm"
    AND "unnumbered_hits_ties_expected"."user" = "tied_ranks_ties_expected"."user"
    AND "unnumbered_hits_ties_expected"."rank" = "tied_ranks_ties_expected"."rank"
), "tied_hit_counts_ties_expected" AS (
  /* tied_hit_counts_ties_expected: one row per list and score that has hits, with the number of hits. */
  SELECT "algorithm", "user", "first_rank", "last_rank", COUNT(*) AS "n_hits"
  FROM "hits_in_ties_ties_expected"
  GROUP BY "algorithm", "user", "first_rank", "last_rank"
), "running_tied_hit_counts_ties_expected" AS (
  /* running_tied_hit_counts_ties_expected: one row per list and score that has hits, with a running count of the hits from the highest score down. */
  SELECT
    "algorithm",
    "user",
    "first_rank",
    "last_rank",
    "n_hits",
    SUM("n_hits") OVER (
      PARTITION BY "algorithm", "user"
      ORDER BY "first_rank" NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS "n_hits_so_far"
  FROM "tied_hit_counts_ties_expected"
), "hits_tied_with_repeats_ties_expected" AS (
  /* hits_tied_with_repeats_ties_expected: one row per hit that shares its score with a repeated hit, or is one, with the rows of its item. */
  SELECT
    "hits_in_ties"."algorithm" AS "algorithm",
    "hits_in_ties"."user" AS "user",
    "hits_in_ties"."item",
    "hits_in_ties"."rank",
    "hits_in_ties"."first_rank",
    "hits_in_ties"."last_rank",
    COUNT(DISTINCT "matches_ties_expected"."rank") AS "n_rows"
  FROM "hits_in_ties_ties_expected" AS "repeated"
  JOIN "hits_in_ties_ties_expected" AS "hits_in_ties"
    ON "repeated"."algorithm" = "hits_in_ties"."algorithm"
    AND "repeated"."user" = "hits_in_ties"."user"
    AND "repeated"."first_rank" = "hits_in_ties"."first_rank"
  JOIN "matches_ties_expected"
    ON "hits_in_ties"."algorithm" = "matches_ties_expected"."algorithm"
    AND "hits_in_ties"."user" = "matches_ties_expected"."user"
    AND "hits_in_ties"."item" = "matches_ties_expected"."item"
  WHERE "repeated"."worst_rank" > "repeated"."rank" AND "matches_ties_expected"."rank" <= "hits_in_ties"."last_rank"
  GROUP BY
    "hits_in_ties"."algorithm",
    "hits_in_ties"."user",
    "hits_in_ties"."item",
    "hits_in_ties"."rank",
    "hits_in_ties"."first_rank",
    "hits_in_ties"."last_rank"
), "tied_row_counts_ties_expected" AS (
  /* tied_row_counts_ties_expected: one row per list, score with repeated hits, and number of rows of a hit, or of two hits together. */
  SELECT
    "hit"."algorithm" AS "algorithm",
    "hit"."user" AS "user",
    "hit"."first_rank",
    "hit"."last_rank",
    CASE WHEN "hit"."rank" = "other"."rank" THEN "hit"."n_rows" ELSE "hit"."n_rows" + "other"."n_rows" END AS "n_rows",
    COUNT(CASE WHEN "hit"."rank" = "other"."rank" THEN 1 END) AS "n_hits",
    COUNT(CASE WHEN "hit"."rank" < "other"."rank" THEN 1 END) AS "n_pairs"
  FROM "hits_tied_with_repeats_ties_expected" AS "hit"
  JOIN "hits_tied_with_repeats_ties_expected" AS "other"
    ON "hit"."algorithm" = "other"."algorithm"
    AND "hit"."user" = "other"."user"
    AND "hit"."first_rank" = "other"."first_rank"
    AND "hit"."rank" <= "other"."rank"
  GROUP BY
    "hit"."algorithm",
    "hit"."user",
    "hit"."first_rank",
    "hit"."last_rank",
    CASE WHEN "hit"."rank" = "other"."rank" THEN "hit"."n_rows" ELSE "hit"."n_rows" + "other"."n_rows" END
), "first_row_chances_ties_expected" AS (
  /* first_row_chances_ties_expected: one row per list, score with repeated hits, number of rows of a hit or of two, and rank with the score. */
  SELECT
    "tied_row_counts_ties_expected"."algorithm" AS "algorithm",
    "tied_row_counts_ties_expected"."user" AS "user",
    "tied_row_counts_ties_expected"."n_rows",
    "tied_row_counts_ties_expected"."n_hits",
    "tied_row_counts_ties_expected"."n_pairs",
    "tied_ranks_ties_expected"."rank",
    CASE
      WHEN "tied_ranks_ties_expected"."rank" + "tied_row_counts_ties_expected"."n_rows" <= "tied_row_counts_ties_expected"."last_rank" + 1
      THEN EXP(
        SUM(
          LN(
            CASE
              WHEN "tied_ranks_ties_expected"."rank" > "tied_row_counts_ties_expected"."first_rank"
              AND "tied_ranks_ties_expected"."rank" + "tied_row_counts_ties_expected"."n_rows" <= "tied_row_counts_ties_expected"."last_rank" + 1
              THEN CAST("tied_row_counts_ties_expected"."last_rank" - "tied_ranks_ties_expected"."rank" - "tied_row_counts_ties_expected"."n_rows" + 2 AS DOUBLE) / (
                "tied_row_counts_ties_expected"."last_rank" - "tied_ranks_ties_expected"."rank" + 1
              )
              ELSE CAST(1 AS DOUBLE)
            END
          )
        ) OVER (
          PARTITION BY "tied_row_counts_ties_expected"."algorithm", "tied_row_counts_ties_expected"."user", "tied_row_counts_ties_expected"."first_rank", "tied_row_counts_ties_expected"."n_rows"
          ORDER BY "tied_ranks_ties_expected"."rank" NULLS FIRST
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        )
      ) * "tied_row_counts_ties_expected"."n_rows" / (
        "tied_row_counts_ties_expected"."last_rank" - "tied_row_counts_ties_expected"."first_rank" + 1
      )
      ELSE CAST(0 AS DOUBLE)
    END AS "chance"
  FROM "tied_row_counts_ties_expected"
  JOIN "tied_ranks_ties_expected"
    ON "tied_row_counts_ties_expected"."algorithm" = "tied_ranks_ties_expected"."algorithm"
    AND "tied_row_counts_ties_expected"."user" = "tied_ranks_ties_expected"."user"
    AND "tied_row_counts_ties_expected"."first_rank" = "tied_ranks_ties_expected"."first_rank"
), "repeated_hit_chances_ties_expected" AS (
  /* repeated_hit_chances_ties_expected: one row per rank of a score that has repeated hits, over all orders of equal scores. */
  SELECT
    "algorithm",
    "user",
    "rank",
    SUM("n_hits" * "n_rows") AS "n_rows",
    SUM("n_hits" * "chance") AS "chance",
    SUM("n_hits") - 1 - SUM("n_pairs" * "chance") / NULLIF(SUM("n_hits" * "chance"), 0) AS "n_hits_between"
  FROM "first_row_chances_ties_expected"
  GROUP BY "algorithm", "user", "rank"
), "hit_chances_ties_expected" AS (
  /* hit_chances_ties_expected: one row per rank that may hold a hit, over all orders of equal scores. */
  SELECT
    "running_tied_hit_counts_ties_expected"."algorithm" AS "algorithm",
    "running_tied_hit_counts_ties_expected"."user" AS "user",
    "tied_ranks_ties_expected"."rank",
    "tied_ranks_ties_expected"."rank" AS "position",
    "tied_ranks_ties_expected"."rank" - "running_tied_hit_counts_ties_expected"."first_rank" AS "place",
    COALESCE("repeated_hit_chances_ties_expected"."n_rows", "running_tied_hit_counts_ties_expected"."n_hits") AS "n_rows",
    "running_tied_hit_counts_ties_expected"."last_rank" - "running_tied_hit_counts_ties_expected"."first_rank" + 1 - COALESCE("repeated_hit_chances_ties_expected"."n_rows", "running_tied_hit_counts_ties_expected"."n_hits") AS "n_misses",
    "running_tied_hit_counts_ties_expected"."n_hits_so_far" - "running_tied_hit_counts_ties_expected"."n_hits" AS "n_hits_above",
    COALESCE(
      "repeated_hit_chances_ties_expected"."chance",
      CAST("running_tied_hit_counts_ties_expected"."n_hits" AS DOUBLE) / (
        "running_tied_hit_counts_ties_expected"."last_rank" - "running_tied_hit_counts_ties_expected"."first_rank" + 1
      )
    ) AS "chance",
    "running_tied_hit_counts_ties_expected"."n_hits_so_far" - "running_tied_hit_counts_ties_expected"."n_hits" + 1 + COALESCE(
      "repeated_hit_chances_ties_expected"."n_hits_between",
      CAST((
        "tied_ranks_ties_expected"."rank" - "running_tied_hit_counts_ties_expected"."first_rank"
      ) * (
        "running_tied_hit_counts_ties_expected"."n_hits" - 1
      ) AS DOUBLE) / GREATEST(
        "running_tied_hit_counts_ties_expected"."last_rank" - "running_tied_hit_counts_ties_expected"."first_rank",
        1
      )
    ) AS "hit_number"
  FROM "running_tied_hit_counts_ties_expected"
  JOIN "tied_ranks_ties_expected"
    ON "running_tied_hit_counts_ties_expected"."algorithm" = "tied_ranks_ties_expected"."algorithm"
    AND "running_tied_hit_counts_ties_expected"."user" = "tied_ranks_ties_expected"."user"
    AND "running_tied_hit_counts_ties_expected"."first_rank" = "tied_ranks_ties_expected"."first_rank"
  LEFT JOIN "repeated_hit_chances_ties_expected"
    ON "tied_ranks_ties_expected"."algorithm" = "repeated_hit_chances_ties_expected"."algorithm"
    AND "tied_ranks_ties_expected"."user" = "repeated_hit_chances_ties_expected"."user"
    AND "tied_ranks_ties_expected"."rank" = "repeated_hit_chances_ties_expected"."rank"
), "first_hit_chances_ties_expected" AS (
  /* first_hit_chances_ties_expected: one row per rank that may hold the first hit of its list, over all orders of equal scores. */
  SELECT
    "algorithm",
    "user",
    "position",
    EXP(
      SUM(
        LN(
          CASE
            WHEN "place" = 0
            THEN CAST(1 AS DOUBLE)
            ELSE CAST("n_misses" - "place" + 1 AS DOUBLE) / (
              "n_rows" + "n_misses" - "place" + 1
            )
          END
        )
      ) OVER (
        PARTITION BY "algorithm", "user"
        ORDER BY "rank" NULLS FIRST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      )
    ) * "n_rows" / (
      "n_rows" + "n_misses" - "place"
    ) AS "chance"
  FROM "hit_chances_ties_expected"
  WHERE "n_hits_above" = 0 AND "place" <= "n_misses"
), "first_hit_chances_ties_expected_per_list" AS (
  /* first_hit_chances_ties_expected_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "algorithm", "user", SUM(CASE WHEN "position" <= 10 THEN "chance" END) AS "chance_of_hit(ties=expected)@10"
  FROM "first_hit_chances_ties_expected"
  GROUP BY "algorithm", "user"
), "relevant_counts" AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "user", COUNT(DISTINCT "item") AS "n_relevant"
  FROM "db"."truth"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL
  GROUP BY "user"
), "hit_chances_ties_expected_per_list" AS (
  /* hit_chances_ties_expected_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "algorithm",
    "user",
    SUM(CASE WHEN "position" <= 10 THEN "chance" * "hit_number" / "rank" END) AS "precisions_at_hits(ties=expected)@10"
  FROM "hit_chances_ties_expected"
  GROUP BY "algorithm", "user"
), "tied_hits_ties_expected_per_list" AS (
  /* tied_hits_ties_expected_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "hits_in_ties_ties_expected"."algorithm",
    "hits_in_ties_ties_expected"."user",
    SUM(
      CASE
        WHEN "tied_ranks_ties_expected"."rank" <= 10
        THEN LN(2) / LN("tied_ranks_ties_expected"."rank" + 1) * COALESCE(
          "first_row_chances_ties_expected"."chance",
          CAST(1 AS DOUBLE) / (
            "hits_in_ties_ties_expected"."last_rank" - "hits_in_ties_ties_expected"."first_rank" + 1
          )
        )
      END
    ) AS "dcg_by_rank(ties=expected)@10"
  FROM "hits_in_ties_ties_expected"
  JOIN "tied_ranks_ties_expected"
    ON "hits_in_ties_ties_expected"."algorithm" = "tied_ranks_ties_expected"."algorithm"
    AND "hits_in_ties_ties_expected"."user" = "tied_ranks_ties_expected"."user"
    AND "hits_in_ties_ties_expected"."first_rank" = "tied_ranks_ties_expected"."first_rank"
  LEFT JOIN "hits_tied_with_repeats_ties_expected"
    ON "hits_in_ties_ties_expected"."algorithm" = "hits_tied_with_repeats_ties_expected"."algorithm"
    AND "hits_in_ties_ties_expected"."user" = "hits_tied_with_repeats_ties_expected"."user"
    AND "hits_in_ties_ties_expected"."item" = "hits_tied_with_repeats_ties_expected"."item"
  LEFT JOIN "first_row_chances_ties_expected"
    ON "hits_tied_with_repeats_ties_expected"."algorithm" = "first_row_chances_ties_expected"."algorithm"
    AND "hits_tied_with_repeats_ties_expected"."user" = "first_row_chances_ties_expected"."user"
    AND "hits_tied_with_repeats_ties_expected"."n_rows" = "first_row_chances_ties_expected"."n_rows"
    AND "tied_ranks_ties_expected"."rank" = "first_row_chances_ties_expected"."rank"
  GROUP BY "hits_in_ties_ties_expected"."algorithm", "hits_in_ties_ties_expected"."user"
), "positions" AS NOT MATERIALIZED (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT "rank"
  FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) AS "positions"("rank")
), "ideal_per_list" AS (
  /* ideal_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT "counts"."rank" AS "n_relevant", SUM(LN(2) / LN("positions"."rank" + 1)) AS "ideal_dcg@10"
  FROM "positions" AS "counts"
  JOIN "positions" ON "positions"."rank" <= "counts"."rank"
  GROUP BY "counts"."rank"
), "ranked_ties_best" AS (
  /* ranked_ties_best: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT
    "algorithm",
    "user",
    "item",
    "score",
    "row_number" - MAX(
      CASE
        WHEN "algorithm" IS DISTINCT FROM "algorithm_1_before" OR "user" IS DISTINCT FROM "user_1_before"
        THEN "row_number"
      END
    ) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) + 1 AS "rank"
  FROM (
    SELECT
      "algorithm",
      "user",
      "item",
      "score",
      ROW_NUMBER() OVER () AS "row_number",
      LAG("algorithm") OVER () AS "algorithm_1_before",
      LAG("user") OVER () AS "user_1_before"
    FROM (
      /* sorted: list after list, each from its first rank down */
      SELECT "algorithm", "user", "item", NULLIF("score", CAST('NaN' AS DOUBLE)) AS "score"
      FROM "db"."recs"
      WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
      ORDER BY
        "recs"."algorithm",
        "recs"."user",
        NULLIF("recs"."score", CAST('NaN' AS DOUBLE)) DESC NULLS LAST,
        "recs"."item"
    ) AS "sorted"
  ) AS "numbered"
), "matches_ties_best" AS MATERIALIZED (
  /* matches_ties_best: one row per recommendation of a relevant item. */
  SELECT
    "ranked_ties_best"."algorithm" AS "algorithm",
    "ranked_ties_best"."user" AS "user",
    "ranked_ties_best"."item",
    "ranked_ties_best"."rank",
    CAST(1 AS DOUBLE) AS "rating"
  FROM "ranked_ties_best"
  JOIN "db"."truth" ON "ranked_ties_best"."user" = "truth"."user" AND "ranked_ties_best"."item" = "truth"."item"
), "unnumbered_hits_ties_best" AS (
  /* unnumbered_hits_ties_best: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "algorithm", "user", MIN("rank") AS "rank", MAX("rating") AS "rating"
  FROM "matches_ties_best"
  GROUP BY "algorithm", "user", "item"
), "tied_ranks_ties_best" AS (
  /* tied_ranks_ties_best: one row per rank of a list, with the first and the last rank of the items that have the same score. */
  SELECT "algorithm", "user", "rank", MIN("rank") OVER (PARTITION BY "algorithm", "user", "score") AS "first_rank"
  FROM "ranked_ties_best"
), "hits_placed_first_ties_best" AS (
  /* hits_placed_first_ties_best: one row per hit, at the best rank that its score allows: before other items with the score, the highest rating first. */
  SELECT
    "unnumbered_hits_ties_best"."algorithm",
    "unnumbered_hits_ties_best"."user",
    "tied_ranks_ties_best"."first_rank" - 1 + ROW_NUMBER() OVER (
      PARTITION BY "unnumbered_hits_ties_best"."algorithm", "unnumbered_hits_ties_best"."user", "tied_ranks_ties_best"."first_rank"
      ORDER BY "unnumbered_hits_ties_best"."rating" DESC NULLS LAST
    ) AS "rank"
  FROM "unnumbered_hits_ties_best"
  JOIN "tied_ranks_ties_best"
    ON "unnumbered_hits_ties_best"."algorithm" = "tied_ranks_ties_best"."algorithm"
    AND "unnumbered_hits_ties_best"."user" = "tied_ranks_ties_best"."user"
    AND "unnumbered_hits_ties_best"."rank" = "tied_ranks_ties_best"."rank"
), "hits_ties_best_per_list" AS (
  /* hits_ties_best_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "algorithm", "user", MIN(CASE WHEN "rank" <= 10 THEN "rank" END) AS "first_hit(ties=best)@10"
  FROM "hits_placed_first_ties_best"
  GROUP BY "algorithm", "user"
), "systems" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "algorithm"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "measured" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "systems"."algorithm",
    "relevant_counts"."user",
    COALESCE("first_hit_chances_ties_expected_per_list"."chance_of_hit(ties=expected)@10", 0) AS "chance_of_hit(ties=expected)@10",
    COALESCE("relevant_counts"."n_relevant", 0) AS "n_relevant",
    COALESCE("hit_chances_ties_expected_per_list"."precisions_at_hits(ties=expected)@10", 0) AS "precisions_at_hits(ties=expected)@10",
    COALESCE("tied_hits_ties_expected_per_list"."dcg_by_rank(ties=expected)@10", 0) AS "dcg_by_rank(ties=expected)@10",
    COALESCE("ideal_per_list"."ideal_dcg@10", 0) AS "ideal_dcg@10",
    "hits_ties_best_per_list"."first_hit(ties=best)@10" AS "first_hit(ties=best)@10"
  FROM "relevant_counts"
  CROSS JOIN "systems"
  LEFT JOIN "first_hit_chances_ties_expected_per_list"
    ON "systems"."algorithm" = "first_hit_chances_ties_expected_per_list"."algorithm"
    AND "relevant_counts"."user" = "first_hit_chances_ties_expected_per_list"."user"
  LEFT JOIN "hit_chances_ties_expected_per_list"
    ON "systems"."algorithm" = "hit_chances_ties_expected_per_list"."algorithm"
    AND "relevant_counts"."user" = "hit_chances_ties_expected_per_list"."user"
  LEFT JOIN "tied_hits_ties_expected_per_list"
    ON "systems"."algorithm" = "tied_hits_ties_expected_per_list"."algorithm"
    AND "relevant_counts"."user" = "tied_hits_ties_expected_per_list"."user"
  LEFT JOIN "hits_ties_best_per_list"
    ON "systems"."algorithm" = "hits_ties_best_per_list"."algorithm"
    AND "relevant_counts"."user" = "hits_ties_best_per_list"."user"
  LEFT JOIN "ideal_per_list" ON LEAST(10, COALESCE("relevant_counts"."n_relevant", 0)) = "ideal_per_list"."n_relevant"
)
SELECT
  "algorithm",
  COUNT(*) AS "n_lists",
  AVG(CAST(CASE WHEN "n_relevant" > 0 THEN "chance_of_hit(ties=expected)@10" END AS DOUBLE)) AS "hit@10",
  AVG(
    CAST(CASE
      WHEN "n_relevant" > 0
      THEN "precisions_at_hits(ties=expected)@10" / NULLIF(LEAST(10, "n_relevant"), 0)
    END AS DOUBLE)
  ) AS "ap@10",
  AVG(CAST("dcg_by_rank(ties=expected)@10" / NULLIF("ideal_dcg@10", 0) AS DOUBLE)) AS "ndcg@10",
  AVG(
    CAST(CASE WHEN "n_relevant" > 0 THEN COALESCE(CAST(1 AS DOUBLE) / "first_hit(ties=best)@10", 0) END AS DOUBLE)
  ) AS "rr(ties=best)@10"
FROM "measured"
GROUP BY "algorithm"
ORDER BY "algorithm"
