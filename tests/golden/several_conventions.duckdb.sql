-- One metric under three conventions, each over its own lists.
-- ndcg(convention=replay)@10, ndcg(convention=elliot)@10, ndcg(convention=lenskit)@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each algorithm, user.
-- ndcg(convention=replay)@10, ndcg(convention=elliot)@10, ndcg(convention=lenskit)@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
WITH "ranked" AS NOT MATERIALIZED (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT "algorithm", "user", "item", CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL AND "rank" <= 10
), "recommended_duplicates_each" AS (
  /* recommended_duplicates_each: one row per recommendation down to the largest cutoff. */
  SELECT "algorithm", "user", "item", "rank"
  FROM "ranked"
  WHERE "rank" <= 10
), "judgments" AS NOT MATERIALIZED (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT
    "user",
    "item",
    COALESCE(NULLIF(CAST("rating" AS DOUBLE), CAST('NaN' AS DOUBLE)), CAST(1 AS DOUBLE)) AS "rating"
  FROM "db"."truth"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL
), "relevant_relevance_any" AS (
  /* relevant_relevance_any: the rows of the truth with a relevant rating. */
  SELECT "user", "item"
  FROM "judgments"
), "matches_duplicates_each_relevance_any" AS MATERIALIZED (
  /* matches_duplicates_each_relevance_any: one row per recommendation of a relevant item. */
  SELECT
    "recommended_duplicates_each"."algorithm" AS "algorithm",
    "recommended_duplicates_each"."user" AS "user",
    "recommended_duplicates_each"."item",
    "recommended_duplicates_each"."rank"
  FROM "recommended_duplicates_each"
  JOIN "relevant_relevance_any"
    ON "recommended_duplicates_each"."user" = "relevant_relevance_any"."user"
    AND "recommended_duplicates_each"."item" = "relevant_relevance_any"."item"
), "unnumbered_hits_duplicates_each_relevance_any" AS (
  /* unnumbered_hits_duplicates_each_relevance_any: one row per hit. An item that a list repeats is a hit at each of its ranks. */
  SELECT "algorithm", "user", "rank"
  FROM "matches_duplicates_each_relevance_any"
  GROUP BY "algorithm", "user", "item", "rank"
), "hits_duplicates_each_relevance_any" AS (
  /* hits_duplicates_each_relevance_any: one row per hit, numbered from the top of the list. */
  SELECT "algorithm", "user", "rank"
  FROM "unnumbered_hits_duplicates_each_relevance_any"
), "hits_duplicates_each_relevance_any_per_list" AS (
  /* hits_duplicates_each_relevance_any_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "algorithm",
    "user",
    SUM(CASE WHEN "rank" <= 10 THEN LN(2) / LN("rank" + 1) END) AS "dcg_by_rank(duplicates=each, relevance=any)@10",
    SUM(
      CASE WHEN "rank" <= 10 THEN CASE WHEN "rank" > 2 THEN LN(2) / LN("rank") ELSE CAST(1 AS DOUBLE) END END
    ) AS "dcg_by_rank(discount=lenskit, duplicates=each, relevance=any)@10"
  FROM "hits_duplicates_each_relevance_any"
  GROUP BY "algorithm", "user"
), "positions" AS NOT MATERIALIZED (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT "rank"
  FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) AS "positions"("rank")
), "ideal_relevance_any" AS (
  /* ideal_relevance_any: one row per number of relevant items and rank of an ideal list with this number of items. */
  SELECT "counts"."rank" AS "n_relevant", "positions"."rank" AS "rank"
  FROM "positions" AS "counts"
  JOIN "positions" ON "positions"."rank" <= "counts"."rank"
), "ideal_relevance_any_per_list" AS (
  /* ideal_relevance_any_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT
    "n_relevant",
    SUM(CASE WHEN "rank" <= 10 THEN LN(2) / LN("rank" + 1) END) AS "ideal_dcg(relevance=any)@10",
    SUM(
      CASE WHEN "rank" <= 10 THEN CASE WHEN "rank" > 2 THEN LN(2) / LN("rank") ELSE CAST(1 AS DOUBLE) END END
    ) AS "ideal_dcg(discount=lenskit, relevance=any)@10"
  FROM "ideal_relevance_any"
  GROUP BY "n_relevant"
), "relevant_rel_0" AS (
  /* relevant_rel_0: the rows of the truth with a relevant rating. */
  SELECT "user", "item", "rating"
  FROM "judgments"
  WHERE "rating" >= 0
), "matches_duplicates_each_rel_0" AS MATERIALIZED (
  /* matches_duplicates_each_rel_0: one row per recommendation of a relevant item. */
  SELECT
    "recommended_duplicates_each"."algorithm" AS "algorithm",
    "recommended_duplicates_each"."user" AS "user",
    "recommended_duplicates_each"."item",
    "recommended_duplicates_each"."rank",
    "relevant_rel_0"."rating"
  FROM "recommended_duplicates_each"
  JOIN "relevant_rel_0"
    ON "recommended_duplicates_each"."user" = "relevant_rel_0"."user"
    AND "recommended_duplicates_each"."item" = "relevant_rel_0"."item"
), "unnumbered_hits_duplicates_each_rel_0" AS (
  /* unnumbered_hits_duplicates_each_rel_0: one row per hit. An item that a list repeats is a hit at each of its ranks. */
  SELECT "algorithm", "user", "rank", MAX("rating") AS "rating"
  FROM "matches_duplicates_each_rel_0"
  GROUP BY "algorithm", "user", "item", "rank"
), "hits_duplicates_each_rel_0" AS (
  /* hits_duplicates_each_rel_0: one row per hit, numbered from the top of the list. */
  SELECT "algorithm", "user", "rank", "rating"
  FROM "unnumbered_hits_duplicates_each_rel_0"
), "hits_duplicates_each_rel_0_per_list" AS (
  /* hits_duplicates_each_rel_0_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "algorithm",
    "user",
    SUM(
      CASE
        WHEN "rank" <= 10
        THEN (
          POWER(CAST(2 AS DOUBLE), LEAST("rating", 900) + 1) - 1
        ) * (
          LN(2) / LN("rank" + 1)
        )
      END
    ) AS "dcg_by_rank(duplicates=each, gain=excess, rel=0)@10"
  FROM "hits_duplicates_each_rel_0"
  GROUP BY "algorithm", "user"
), "distinct_judgments" AS (
  /* distinct_judgments: one row per truth list and item. A repeated item keeps its highest rating. */
  SELECT "user", MAX("rating") AS "rating"
  FROM "judgments"
  GROUP BY "user", "item"
), "ideal_rel_0" AS (
  /* ideal_rel_0: one row per truth list and relevant item, ranked by rating, the highest first. */
  SELECT "user", "rating", ROW_NUMBER() OVER (PARTITION BY "user" ORDER BY "rating" DESC NULLS LAST) AS "rank"
  FROM "distinct_judgments"
  WHERE "rating" >= 0
), "ideal_rel_0_per_list" AS (
  /* ideal_rel_0_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT
    "user",
    SUM(
      CASE
        WHEN "rank" <= 10
        THEN (
          POWER(CAST(2 AS DOUBLE), LEAST("rating", 900) + 1) - 1
        ) * (
          LN(2) / LN("rank" + 1)
        )
      END
    ) AS "ideal_dcg(gain=excess, rel=0)@10",
    MAX(CASE WHEN "rank" <= 1 THEN "rating" END) AS "highest_rating(rel=0)"
  FROM "ideal_rel_0"
  GROUP BY "user"
), "relevant_counts_rel_0" AS (
  /* relevant_counts_rel_0: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "user", COUNT(DISTINCT "item") FILTER(WHERE "rating" >= 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY "user"
), "relevant_counts_rel_0_per_list" AS (
  /* relevant_counts_rel_0_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT "user", "n_relevant" AS "n_relevant(rel=0)"
  FROM "relevant_counts_rel_0"
), "relevant_counts_relevance_any" AS (
  /* relevant_counts_relevance_any: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "user", COUNT(DISTINCT "item") AS "n_relevant"
  FROM "judgments"
  GROUP BY "user"
), "relevant_counts_relevance_any_per_list" AS (
  /* relevant_counts_relevance_any_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT "user", "n_relevant" AS "n_relevant(relevance=any)"
  FROM "relevant_counts_relevance_any"
), "truth_lists" AS (
  /* truth_lists: one row per truth list. */
  SELECT "user"
  FROM "relevant_counts_rel_0"
), "systems" AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT "algorithm"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists_zero" AS (
  /* lists_zero: one row per scored list: every list of the truth, for every system of its partition. */
  SELECT "truth_lists"."user" AS "user", "systems"."algorithm" AS "algorithm"
  FROM "truth_lists"
  CROSS JOIN "systems"
), "recommended_lists" AS (
  /* recommended_lists: one row per list of the recommendations. */
  SELECT DISTINCT "algorithm", "user"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists_skip" AS (
  /* lists_skip: one row per scored list: every list that is both in the recommendations and in the truth. */
  SELECT "recommended_lists"."algorithm" AS "algorithm", "recommended_lists"."user" AS "user"
  FROM "recommended_lists"
  JOIN "truth_lists" ON "recommended_lists"."user" = "truth_lists"."user"
), "lists_listed" AS (
  /* lists_listed: one row per scored list: every list of the recommendations. */
  SELECT "algorithm", "user"
  FROM "recommended_lists"
), "lists" AS (
  /* lists: one row per list of any choice of `missing`, with a flag for each choice */
  SELECT "algorithm", "user", MAX("in zero") AS "in zero", MAX("in skip") AS "in skip", MAX("in listed") AS "in listed"
  FROM (
    SELECT "algorithm", "user", 1 AS "in zero", 0 AS "in skip", 0 AS "in listed"
    FROM "lists_zero"
    UNION ALL
    SELECT "algorithm", "user", 0 AS "in zero", 1 AS "in skip", 0 AS "in listed"
    FROM "lists_skip"
    UNION ALL
    SELECT "algorithm", "user", 0 AS "in zero", 0 AS "in skip", 1 AS "in listed"
    FROM "lists_listed"
  ) AS "every_list"
  GROUP BY "algorithm", "user"
), "measured" AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    "lists"."in zero",
    "lists"."in skip",
    "lists"."in listed",
    COALESCE("hits_duplicates_each_relevance_any_per_list"."dcg_by_rank(duplicates=each, relevance=any)@10", 0) AS "dcg_by_rank(duplicates=each, relevance=any)@10",
    COALESCE("ideal_relevance_any_per_list"."ideal_dcg(relevance=any)@10", 0) AS "ideal_dcg(relevance=any)@10",
    COALESCE("hits_duplicates_each_rel_0_per_list"."dcg_by_rank(duplicates=each, gain=excess, rel=0)@10", 0) AS "dcg_by_rank(duplicates=each, gain=excess, rel=0)@10",
    COALESCE("ideal_rel_0_per_list"."ideal_dcg(gain=excess, rel=0)@10", 0) AS "ideal_dcg(gain=excess, rel=0)@10",
    COALESCE("relevant_counts_rel_0_per_list"."n_relevant(rel=0)", 0) AS "n_relevant(rel=0)",
    COALESCE("ideal_rel_0_per_list"."highest_rating(rel=0)", 0) AS "highest_rating(rel=0)",
    COALESCE(
      "hits_duplicates_each_relevance_any_per_list"."dcg_by_rank(discount=lenskit, duplicates=each, relevance=any)@10",
      0
    ) AS "dcg_by_rank(discount=lenskit, duplicates=each, relevance=any)@10",
    COALESCE("ideal_relevance_any_per_list"."ideal_dcg(discount=lenskit, relevance=any)@10", 0) AS "ideal_dcg(discount=lenskit, relevance=any)@10"
  FROM "lists"
  LEFT JOIN "hits_duplicates_each_relevance_any_per_list"
    ON "lists"."algorithm" = "hits_duplicates_each_relevance_any_per_list"."algorithm"
    AND "lists"."user" = "hits_duplicates_each_relevance_any_per_list"."user"
  LEFT JOIN "hits_duplicates_each_rel_0_per_list"
    ON "lists"."algorithm" = "hits_duplicates_each_rel_0_per_list"."algorithm"
    AND "lists"."user" = "hits_duplicates_each_rel_0_per_list"."user"
  LEFT JOIN "ideal_rel_0_per_list" ON "lists"."user" = "ideal_rel_0_per_list"."user"
  LEFT JOIN "relevant_counts_rel_0_per_list" ON "lists"."user" = "relevant_counts_rel_0_per_list"."user"
  LEFT JOIN "relevant_counts_relevance_any_per_list" ON "lists"."user" = "relevant_counts_relevance_any_per_list"."user"
  LEFT JOIN "ideal_relevance_any_per_list"
    ON LEAST(10, COALESCE("relevant_counts_relevance_any_per_list"."n_relevant(relevance=any)", 0)) = "ideal_relevance_any_per_list"."n_relevant"
), "per_list" AS (
  /* per_list: one row per scored list, with its metrics */
  SELECT
    "algorithm",
    "user",
    "in zero",
    "in skip",
    "in listed",
    CASE
      WHEN "in zero" = 1
      THEN "dcg_by_rank(duplicates=each, relevance=any)@10" / NULLIF("ideal_dcg(relevance=any)@10", 0)
    END AS "ndcg(convention=replay)@10",
    CASE
      WHEN "in skip" = 1
      THEN CASE
        WHEN "highest_rating(rel=0)" <= 900
        THEN CASE
          WHEN "n_relevant(rel=0)" > 0
          THEN "dcg_by_rank(duplicates=each, gain=excess, rel=0)@10" / NULLIF("ideal_dcg(gain=excess, rel=0)@10", 0)
        END
      END
    END AS "ndcg(convention=elliot)@10",
    CASE
      WHEN "in listed" = 1
      THEN COALESCE(
        "dcg_by_rank(discount=lenskit, duplicates=each, relevance=any)@10" / NULLIF("ideal_dcg(discount=lenskit, relevance=any)@10", 0),
        0
      )
    END AS "ndcg(convention=lenskit)@10"
  FROM "measured"
)
SELECT
  "algorithm",
  COUNT(*) AS "n_lists",
  AVG(CAST("ndcg(convention=replay)@10" AS DOUBLE)) AS "ndcg(convention=replay)@10",
  AVG(CAST("ndcg(convention=elliot)@10" AS DOUBLE)) AS "ndcg(convention=elliot)@10",
  AVG(CAST("ndcg(convention=lenskit)@10" AS DOUBLE)) AS "ndcg(convention=lenskit)@10"
FROM "per_list"
GROUP BY "algorithm"
ORDER BY "algorithm"
