-- One metric under three conventions, each over its own lists.
-- ndcg(convention=replay)@10, ndcg(convention=elliot)@10, ndcg(convention=lenskit)@10
WITH "ranked" AS (
  /* ranked: every recommendation with its rank. */
  SELECT
    "algorithm",
    "user",
    "item",
    CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "recommended_duplicates_each" AS (
  /* recommended_duplicates_each: the recommendations that can matter: those up to the deepest cutoff asked for. */
  SELECT
    "algorithm",
    "user",
    "item",
    "rank"
  FROM "ranked"
  WHERE
    "rank" <= 10
), "judgments" AS (
  /* judgments: the truth, row by row; a row without a rating counts as rated 1, a row with a NULL id is left out. */
  SELECT
    "user",
    "item",
    COALESCE(
      NULLIF(CAST("rating" AS DOUBLE PRECISION), CAST('NaN' AS DOUBLE PRECISION)),
      CAST(1 AS DOUBLE PRECISION)
    ) AS "rating"
  FROM "db"."truth"
  WHERE
    "user" IS NOT NULL AND "item" IS NOT NULL
), "matched_duplicates_each_relevance_any" AS (
  /* matched_duplicates_each_relevance_any: the recommendations of relevant items. */
  SELECT
    "recommended_duplicates_each"."algorithm" AS "algorithm",
    "recommended_duplicates_each"."user" AS "user",
    "recommended_duplicates_each"."item",
    "recommended_duplicates_each"."rank"
  FROM "recommended_duplicates_each"
  JOIN "judgments"
    ON "recommended_duplicates_each"."user" = "judgments"."user"
    AND "recommended_duplicates_each"."item" = "judgments"."item"
), "found_duplicates_each_relevance_any" AS (
  /* found_duplicates_each_relevance_any: the relevant items that were recommended, once for each place they took. */
  SELECT
    "algorithm",
    "user",
    "rank"
  FROM "matched_duplicates_each_relevance_any"
  GROUP BY
    "algorithm",
    "user",
    "item",
    "rank"
), "hits_duplicates_each_relevance_any_per_list" AS (
  /* hits_duplicates_each_relevance_any_per_list: sums over the rows of found_duplicates_each_relevance_any, for each list */
  SELECT
    "algorithm",
    "user",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 10) AS "dcg_by_rank(duplicates=each, relevance=any)@10",
    SUM(CASE WHEN "rank" > 2 THEN LN(2) / LN("rank") ELSE CAST(1 AS DOUBLE PRECISION) END) FILTER(WHERE
      "rank" <= 10) AS "dcg_by_rank(discount=lenskit, duplicates=each, relevan_5f047024"
  FROM "found_duplicates_each_relevance_any"
  GROUP BY
    "algorithm",
    "user"
), "places" AS (
  /* places: the places of a list, 1 to the deepest cutoff. */
  SELECT
    "rank"
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
    (10)) AS "places"("rank")
), "ideal_relevance_any" AS (
  /* ideal_relevance_any: the best list there is, one row per place, for each number of relevant items. */
  SELECT
    "sizes"."rank" AS "n_relevant",
    "places"."rank" AS "rank"
  FROM "places" AS "sizes"
  JOIN "places"
    ON "places"."rank" <= "sizes"."rank"
), "ideal_relevance_any_per_list" AS (
  /* ideal_relevance_any_per_list: sums over the rows of ideal_relevance_any, for each number of relevant items */
  SELECT
    "n_relevant",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 10) AS "ideal_dcg(relevance=any)@10",
    SUM(CASE WHEN "rank" > 2 THEN LN(2) / LN("rank") ELSE CAST(1 AS DOUBLE PRECISION) END) FILTER(WHERE
      "rank" <= 10) AS "ideal_dcg(discount=lenskit, relevance=any)@10"
  FROM "ideal_relevance_any"
  GROUP BY
    "n_relevant"
), "relevant_rel_0" AS (
  /* relevant_rel_0: the rows of the truth that a list should have found. */
  SELECT
    "user",
    "item",
    "rating"
  FROM "judgments"
  WHERE
    "rating" >= 0
), "matched_duplicates_each_rel_0" AS (
  /* matched_duplicates_each_rel_0: the recommendations of relevant items. */
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
), "found_duplicates_each_rel_0" AS (
  /* found_duplicates_each_rel_0: the relevant items that were recommended, once for each place they took. */
  SELECT
    "algorithm",
    "user",
    "rank",
    MAX("rating") AS "rating"
  FROM "matched_duplicates_each_rel_0"
  GROUP BY
    "algorithm",
    "user",
    "item",
    "rank"
), "hits_duplicates_each_rel_0_per_list" AS (
  /* hits_duplicates_each_rel_0_per_list: sums over the rows of found_duplicates_each_rel_0, for each list */
  SELECT
    "algorithm",
    "user",
    SUM((
      POWER(CAST(2 AS DOUBLE PRECISION), "rating" - 0 + 1) - 1
    ) * (
      LN(2) / LN("rank" + 1)
    )) FILTER(WHERE
      "rank" <= 10) AS "dcg_by_rank(duplicates=each, gain=excess, rel=0)@10"
  FROM "found_duplicates_each_rel_0"
  GROUP BY
    "algorithm",
    "user"
), "judged" AS (
  /* judged: the truth, one row per list and item; where an item is repeated, its highest rating stands. */
  SELECT
    "user",
    MAX("rating") AS "rating"
  FROM "judgments"
  GROUP BY
    "user",
    "item"
), "ideal_rel_0" AS (
  /* ideal_rel_0: the relevant items in the best order there is, highest rating first. */
  SELECT
    "user",
    "rating",
    ROW_NUMBER() OVER (PARTITION BY "user" ORDER BY "rating" DESC NULLS LAST) AS "rank"
  FROM "judged"
  WHERE
    "rating" >= 0
), "ideal_rel_0_per_list" AS (
  /* ideal_rel_0_per_list: sums over the rows of ideal_rel_0, for each list */
  SELECT
    "user",
    SUM((
      POWER(CAST(2 AS DOUBLE PRECISION), "rating" - 0 + 1) - 1
    ) * (
      LN(2) / LN("rank" + 1)
    )) FILTER(WHERE
      "rank" <= 10) AS "ideal_dcg(gain=excess, rel=0)@10"
  FROM "ideal_rel_0"
  GROUP BY
    "user"
), "sizes_rel_0" AS (
  /* sizes_rel_0: every list of the truth, with how much it holds. */
  SELECT
    "user",
    COUNT(DISTINCT "item") FILTER(WHERE
      "rating" >= 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY
    "user"
), "sizes_rel_0_per_list" AS (
  /* sizes_rel_0_per_list: sums over the rows of sizes_rel_0, for each list */
  SELECT
    "user",
    "n_relevant" AS "n_relevant(rel=0)"
  FROM "sizes_rel_0"
), "sizes_relevance_any" AS (
  /* sizes_relevance_any: every list of the truth, with how much it holds. */
  SELECT
    "user",
    COUNT(DISTINCT "item") AS "n_relevant"
  FROM "judgments"
  GROUP BY
    "user"
), "sizes_relevance_any_per_list" AS (
  /* sizes_relevance_any_per_list: sums over the rows of sizes_relevance_any, for each list */
  SELECT
    "user",
    "n_relevant" AS "n_relevant(relevance=any)"
  FROM "sizes_relevance_any"
), "systems" AS (
  /* systems: what was measured: each value of the list columns that the truth has not. */
  SELECT DISTINCT
    "algorithm"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists_zero" AS (
  /* lists_zero: whom the mean is taken over: every list of the truth, for every system. */
  SELECT
    "sizes_rel_0"."user" AS "user",
    "systems"."algorithm" AS "algorithm"
  FROM "sizes_rel_0"
  CROSS JOIN "systems"
), "listed" AS (
  /* listed: the lists of the recommendations. */
  SELECT DISTINCT
    "algorithm",
    "user"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists_skip" AS (
  /* lists_skip: whom the mean is taken over: the lists that were recommended something and have a truth. */
  SELECT
    "listed"."algorithm" AS "algorithm",
    "listed"."user" AS "user"
  FROM "listed"
  JOIN "sizes_rel_0"
    ON "listed"."user" = "sizes_rel_0"."user"
), "lists" AS (
  /* lists: the lists that the means are taken over, with a column for each choice of them */
  SELECT
    "algorithm",
    "user",
    MAX("in zero") AS "in zero",
    MAX("in skip") AS "in skip",
    MAX("in listed") AS "in listed"
  FROM (
    SELECT
      "algorithm",
      "user",
      1 AS "in zero",
      0 AS "in skip",
      0 AS "in listed"
    FROM "lists_zero"
    UNION ALL
    SELECT
      "algorithm",
      "user",
      0 AS "in zero",
      1 AS "in skip",
      0 AS "in listed"
    FROM "lists_skip"
    UNION ALL
    SELECT
      "algorithm",
      "user",
      0 AS "in zero",
      0 AS "in skip",
      1 AS "in listed"
    FROM "listed"
  ) AS "every_list"
  GROUP BY
    "algorithm",
    "user"
), "measured" AS (
  /* measured: one row per list, with what the metrics are computed from */
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
    COALESCE("sizes_rel_0_per_list"."n_relevant(rel=0)", 0) AS "n_relevant(rel=0)",
    COALESCE(
      "hits_duplicates_each_relevance_any_per_list"."dcg_by_rank(discount=lenskit, duplicates=each, relevan_5f047024",
      0
    ) AS "dcg_by_rank(discount=lenskit, duplicates=each, relevan_5f047024",
    COALESCE("ideal_relevance_any_per_list"."ideal_dcg(discount=lenskit, relevance=any)@10", 0) AS "ideal_dcg(discount=lenskit, relevance=any)@10"
  FROM "lists"
  LEFT JOIN "hits_duplicates_each_relevance_any_per_list"
    ON "lists"."algorithm" = "hits_duplicates_each_relevance_any_per_list"."algorithm"
    AND "lists"."user" = "hits_duplicates_each_relevance_any_per_list"."user"
  LEFT JOIN "hits_duplicates_each_rel_0_per_list"
    ON "lists"."algorithm" = "hits_duplicates_each_rel_0_per_list"."algorithm"
    AND "lists"."user" = "hits_duplicates_each_rel_0_per_list"."user"
  LEFT JOIN "ideal_rel_0_per_list"
    ON "lists"."user" = "ideal_rel_0_per_list"."user"
  LEFT JOIN "sizes_rel_0_per_list"
    ON "lists"."user" = "sizes_rel_0_per_list"."user"
  LEFT JOIN "sizes_relevance_any_per_list"
    ON "lists"."user" = "sizes_relevance_any_per_list"."user"
  LEFT JOIN "ideal_relevance_any_per_list"
    ON LEAST(10, COALESCE("sizes_relevance_any_per_list"."n_relevant(relevance=any)", 0)) = "ideal_relevance_any_per_list"."n_relevant"
), "per_list" AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    "algorithm",
    "user",
    "in zero",
    "in skip",
    "in listed",
    CASE
      WHEN "in zero" = 1
      THEN CAST("dcg_by_rank(duplicates=each, relevance=any)@10" AS DOUBLE PRECISION) / NULLIF("ideal_dcg(relevance=any)@10", 0)
    END AS "ndcg(convention=replay)@10",
    CASE
      WHEN "in skip" = 1
      THEN CASE
        WHEN "n_relevant(rel=0)" > 0
        THEN CAST("dcg_by_rank(duplicates=each, gain=excess, rel=0)@10" AS DOUBLE PRECISION) / NULLIF("ideal_dcg(gain=excess, rel=0)@10", 0)
      END
    END AS "ndcg(convention=elliot)@10",
    CASE
      WHEN "in listed" = 1
      THEN COALESCE(
        CAST("dcg_by_rank(discount=lenskit, duplicates=each, relevan_5f047024" AS DOUBLE PRECISION) / NULLIF("ideal_dcg(discount=lenskit, relevance=any)@10", 0),
        0
      )
    END AS "ndcg(convention=lenskit)@10"
  FROM "measured"
)
SELECT
  "algorithm",
  COUNT(*) AS "n_lists",
  AVG(CAST("ndcg(convention=replay)@10" AS DOUBLE PRECISION)) AS "ndcg(convention=replay)@10",
  AVG(CAST("ndcg(convention=elliot)@10" AS DOUBLE PRECISION)) AS "ndcg(convention=elliot)@10",
  AVG(CAST("ndcg(convention=lenskit)@10" AS DOUBLE PRECISION)) AS "ndcg(convention=lenskit)@10"
FROM "per_list"
GROUP BY
  "algorithm"
ORDER BY
  "algorithm"
