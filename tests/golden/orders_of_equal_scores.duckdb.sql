-- The mean over all orders of equal scores, and the best order.
-- hit@10, ndcg@10, rr(ties=best)@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each algorithm, user.
-- hit@10: 1 if a relevant item is among the first k recommendations, else 0. Its mean over lists is the hit rate.
-- ndcg@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
-- rr(ties=best)@10: reciprocal rank: 1 / rank of the first hit, 0 if there is no hit among the first k. Its mean over lists is MRR.
WITH "ranked_ties_expected" AS (
  /* ranked_ties_expected: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT
    "algorithm",
    "user",
    "item",
    NULLIF("score", CAST('NaN' AS DOUBLE)) AS "score",
    ROW_NUMBER() OVER (
      PARTITION BY "algorithm", "user"
      ORDER BY NULLIF("score", CAST('NaN' AS DOUBLE)) DESC NULLS LAST, "item"
    ) AS "rank"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "recommended_ties_expected" AS (
  /* recommended_ties_expected: one row per recommendation down to the largest cutoff. */
  SELECT "algorithm", "user", "item", "rank"
  FROM "ranked_ties_expected"
), "judgments" AS NOT MATERIALIZED (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT "user", "item", CAST(1 AS DOUBLE) AS "rating"
  FROM "db"."truth"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL
), "relevant" AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT "user", "item", "rating"
  FROM "judgments"
  WHERE "rating" > 0
), "matches_ties_expected" AS MATERIALIZED (
  /* matches_ties_expected: one row per recommendation of a relevant item. */
  SELECT
    "recommended_ties_expected"."algorithm" AS "algorithm",
    "recommended_ties_expected"."user" AS "user",
    "recommended_ties_expected"."item",
    "recommended_ties_expected"."rank"
  FROM "recommended_ties_expected"
  JOIN "relevant"
    ON "recommended_ties_expected"."user" = "relevant"."user"
    AND "recommended_ties_expected"."item" = "relevant"."item"
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
    COUNT(CASE WHEN "hit"."rank" = "other"."rank" THEN 1 END) AS "n_hits"
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
  SELECT "algorithm", "user", "rank", SUM("n_hits" * "n_rows") AS "n_rows"
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
    "running_tied_hit_counts_ties_expected"."n_hits_so_far" - "running_tied_hit_counts_ties_expected"."n_hits" AS "n_hits_above"
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
  SELECT "user", COUNT(DISTINCT "item") FILTER(WHERE "rating" > 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY "user"
), "tied_hits_ties_expected" AS (
  /* tied_hits_ties_expected: one row per hit and rank of an item with the same score. */
  SELECT
    "hits_in_ties_ties_expected"."algorithm" AS "algorithm",
    "hits_in_ties_ties_expected"."user" AS "user",
    "tied_ranks_ties_expected"."rank",
    "tied_ranks_ties_expected"."rank" AS "position",
    COALESCE(
      "first_row_chances_ties_expected"."chance",
      CAST(1 AS DOUBLE) / (
        "hits_in_ties_ties_expected"."last_rank" - "hits_in_ties_ties_expected"."first_rank" + 1
      )
    ) AS "chance"
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
), "tied_hits_ties_expected_per_list" AS (
  /* tied_hits_ties_expected_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "algorithm",
    "user",
    SUM(CASE WHEN "position" <= 10 THEN LN(2) / LN("rank" + 1) * "chance" END) AS "dcg_by_rank(ties=expected)@10"
  FROM "tied_hits_ties_expected"
  GROUP BY "algorithm", "user"
), "positions" AS NOT MATERIALIZED (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT "rank"
  FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) AS "positions"("rank")
), "ideal" AS (
  /* ideal: one row per number of relevant items and rank of an ideal list with this number of items. */
  SELECT "counts"."rank" AS "n_relevant", "positions"."rank" AS "rank"
  FROM "positions" AS "counts"
  JOIN "positions" ON "positions"."rank" <= "counts"."rank"
), "ideal_per_list" AS (
  /* ideal_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT "n_relevant", SUM(CASE WHEN "rank" <= 10 THEN LN(2) / LN("rank" + 1) END) AS "ideal_dcg@10"
  FROM "ideal"
  GROUP BY "n_relevant"
), "ranked_ties_best" AS (
  /* ranked_ties_best: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT
    "algorithm",
    "user",
    "item",
    NULLIF("score", CAST('NaN' AS DOUBLE)) AS "score",
    ROW_NUMBER() OVER (
      PARTITION BY "algorithm", "user"
      ORDER BY NULLIF("score", CAST('NaN' AS DOUBLE)) DESC NULLS LAST, "item"
    ) AS "rank"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "recommended_ties_best" AS (
  /* recommended_ties_best: one row per recommendation down to the largest cutoff. */
  SELECT "algorithm", "user", "item", "rank"
  FROM "ranked_ties_best"
), "matches_ties_best" AS MATERIALIZED (
  /* matches_ties_best: one row per recommendation of a relevant item. */
  SELECT
    "recommended_ties_best"."algorithm" AS "algorithm",
    "recommended_ties_best"."user" AS "user",
    "recommended_ties_best"."item",
    "recommended_ties_best"."rank",
    "relevant"."rating"
  FROM "recommended_ties_best"
  JOIN "relevant"
    ON "recommended_ties_best"."user" = "relevant"."user"
    AND "recommended_ties_best"."item" = "relevant"."item"
), "unnumbered_hits_ties_best" AS (
  /* unnumbered_hits_ties_best: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "algorithm", "user", MIN("rank") AS "rank", MAX("rating") AS "rating"
  FROM "matches_ties_best"
  GROUP BY "algorithm", "user", "item"
), "tied_ranks_ties_best" AS (
  /* tied_ranks_ties_best: one row per rank of a list, with the first and the last rank of the items that have the same score. */
  SELECT "algorithm", "user", "rank", MIN("rank") OVER (PARTITION BY "algorithm", "user", "score") AS "first_rank"
  FROM "ranked_ties_best"
), "hits_in_ties_ties_best" AS (
  /* hits_in_ties_ties_best: one row per hit, with the first and the last rank of the items that have the same score. */
  SELECT
    "unnumbered_hits_ties_best"."algorithm" AS "algorithm",
    "unnumbered_hits_ties_best"."user" AS "user",
    "unnumbered_hits_ties_best"."rating",
    "tied_ranks_ties_best"."first_rank"
  FROM "unnumbered_hits_ties_best"
  JOIN "tied_ranks_ties_best"
    ON "unnumbered_hits_ties_best"."algorithm" = "tied_ranks_ties_best"."algorithm"
    AND "unnumbered_hits_ties_best"."user" = "tied_ranks_ties_best"."user"
    AND "unnumbered_hits_ties_best"."rank" = "tied_ranks_ties_best"."rank"
), "hits_placed_first_ties_best" AS (
  /* hits_placed_first_ties_best: one row per hit, at the best rank that its score allows: before other items with the score, the highest rating first. */
  SELECT
    "algorithm",
    "user",
    "first_rank" - 1 + ROW_NUMBER() OVER (PARTITION BY "algorithm", "user", "first_rank" ORDER BY "rating" DESC NULLS LAST) AS "rank"
  FROM "hits_in_ties_ties_best"
), "hits_ties_best" AS (
  /* hits_ties_best: one row per hit, numbered from the top of the list. Hits come before other items with the same score. */
  SELECT "algorithm", "user", "rank"
  FROM "hits_placed_first_ties_best"
), "hits_ties_best_per_list" AS (
  /* hits_ties_best_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT "algorithm", "user", MIN(CASE WHEN "rank" <= 10 THEN "rank" END) AS "first_hit(ties=best)@10"
  FROM "hits_ties_best"
  GROUP BY "algorithm", "user"
), "truth_lists" AS (
  /* truth_lists: one row per truth list. */
  SELECT "user", "n_relevant"
  FROM "relevant_counts"
), "systems" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "algorithm"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists" AS (
  /* lists: one row per scored list: every list of the truth, for every system of its partition. */
  SELECT "truth_lists"."user" AS "user", "systems"."algorithm" AS "algorithm", "truth_lists"."n_relevant"
  FROM "truth_lists"
  CROSS JOIN "systems"
), "measured" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    COALESCE("first_hit_chances_ties_expected_per_list"."chance_of_hit(ties=expected)@10", 0) AS "chance_of_hit(ties=expected)@10",
    COALESCE("lists"."n_relevant", 0) AS "n_relevant",
    COALESCE("tied_hits_ties_expected_per_list"."dcg_by_rank(ties=expected)@10", 0) AS "dcg_by_rank(ties=expected)@10",
    COALESCE("ideal_per_list"."ideal_dcg@10", 0) AS "ideal_dcg@10",
    "hits_ties_best_per_list"."first_hit(ties=best)@10" AS "first_hit(ties=best)@10"
  FROM "lists"
  LEFT JOIN "first_hit_chances_ties_expected_per_list"
    ON "lists"."algorithm" = "first_hit_chances_ties_expected_per_list"."algorithm"
    AND "lists"."user" = "first_hit_chances_ties_expected_per_list"."user"
  LEFT JOIN "tied_hits_ties_expected_per_list"
    ON "lists"."algorithm" = "tied_hits_ties_expected_per_list"."algorithm"
    AND "lists"."user" = "tied_hits_ties_expected_per_list"."user"
  LEFT JOIN "hits_ties_best_per_list"
    ON "lists"."algorithm" = "hits_ties_best_per_list"."algorithm"
    AND "lists"."user" = "hits_ties_best_per_list"."user"
  LEFT JOIN "ideal_per_list" ON LEAST(10, COALESCE("lists"."n_relevant", 0)) = "ideal_per_list"."n_relevant"
), "per_list" AS (
  /* per_list: one row per scored list, with its metrics */
  SELECT
    "algorithm",
    "user",
    CASE WHEN "n_relevant" > 0 THEN "chance_of_hit(ties=expected)@10" END AS "hit@10",
    "dcg_by_rank(ties=expected)@10" / NULLIF("ideal_dcg@10", 0) AS "ndcg@10",
    CASE WHEN "n_relevant" > 0 THEN COALESCE(CAST(1 AS DOUBLE) / "first_hit(ties=best)@10", 0) END AS "rr(ties=best)@10"
  FROM "measured"
)
SELECT
  "algorithm",
  COUNT(*) AS "n_lists",
  AVG(CAST("hit@10" AS DOUBLE)) AS "hit@10",
  AVG(CAST("ndcg@10" AS DOUBLE)) AS "ndcg@10",
  AVG(CAST("rr(ties=best)@10" AS DOUBLE)) AS "rr(ties=best)@10"
FROM "per_list"
GROUP BY "algorithm"
ORDER BY "algorithm"
