-- One metric under three conventions, each over its own lists.
-- ndcg(convention=replay)@10, ndcg(convention=elliot)@10, ndcg(convention=lenskit)@10
WITH "ranked" AS (
  /* ranked: every recommendation with its rank; rows with a NULL id are left out. */
  SELECT
    "algorithm",
    "user",
    "item",
    CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "recommended_duplicates_each" AS (
  /* recommended_duplicates_each: the recommendations down to the largest cutoff. */
  SELECT
    "algorithm",
    "user",
    "item",
    "rank"
  FROM "ranked"
  WHERE
    "rank" <= 10
), "judgments" AS (
  /* judgments: the rows of the truth; a missing rating counts as 1, and rows with a NULL id are left out. */
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
), "matches_duplicates_each_relevance_any" AS (
  /* matches_duplicates_each_relevance_any: the recommendations of relevant items. */
  SELECT
    "recommended_duplicates_each"."algorithm" AS "algorithm",
    "recommended_duplicates_each"."user" AS "user",
    "recommended_duplicates_each"."item",
    "recommended_duplicates_each"."rank"
  FROM "recommended_duplicates_each"
  JOIN "judgments"
    ON "recommended_duplicates_each"."user" = "judgments"."user"
    AND "recommended_duplicates_each"."item" = "judgments"."item"
), "unnumbered_hits_duplicates_each_relevance_any" AS (
  /* unnumbered_hits_duplicates_each_relevance_any: the relevant items that were recommended, once for each of their ranks in the list. */
  SELECT
    "algorithm",
    "user",
    "rank"
  FROM "matches_duplicates_each_relevance_any"
  GROUP BY
    "algorithm",
    "user",
    "item",
    "rank"
), "hits_duplicates_each_relevance_any_per_list" AS (
  /* hits_duplicates_each_relevance_any_per_list: aggregates over the rows of unnumbered_hits_duplicates_each_relevance_any, for each list */
  SELECT
    "algorithm",
    "user",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 10) AS "dcg_by_rank_duplicates_each_relevance_any_at_10",
    SUM(CASE WHEN "rank" > 2 THEN LN(2) / LN("rank") ELSE CAST(1 AS DOUBLE PRECISION) END) FILTER(WHERE
      "rank" <= 10) AS "dcg_by_rank_discount_lenskit_duplicates_each_relevance_4a289d00"
  FROM "unnumbered_hits_duplicates_each_relevance_any"
  GROUP BY
    "algorithm",
    "user"
), "positions" AS (
  /* positions: the ranks from 1 to the largest cutoff. */
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
    (10)) AS "positions"("rank")
), "ideal_relevance_any" AS (
  /* ideal_relevance_any: the ranks of an ideal list, for each possible number of relevant items. */
  SELECT
    "counts"."rank" AS "n_relevant",
    "positions"."rank" AS "rank"
  FROM "positions" AS "counts"
  JOIN "positions"
    ON "positions"."rank" <= "counts"."rank"
), "ideal_relevance_any_per_list" AS (
  /* ideal_relevance_any_per_list: aggregates over the rows of ideal_relevance_any, for each number of relevant items */
  SELECT
    "n_relevant",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 10) AS "ideal_dcg_relevance_any_at_10",
    SUM(CASE WHEN "rank" > 2 THEN LN(2) / LN("rank") ELSE CAST(1 AS DOUBLE PRECISION) END) FILTER(WHERE
      "rank" <= 10) AS "ideal_dcg_discount_lenskit_relevance_any_at_10"
  FROM "ideal_relevance_any"
  GROUP BY
    "n_relevant"
), "relevant_rel_0" AS (
  /* relevant_rel_0: the rows of the truth with a relevant rating. */
  SELECT
    "user",
    "item",
    "rating"
  FROM "judgments"
  WHERE
    "rating" >= 0
), "matches_duplicates_each_rel_0" AS (
  /* matches_duplicates_each_rel_0: the recommendations of relevant items. */
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
  /* unnumbered_hits_duplicates_each_rel_0: the relevant items that were recommended, once for each of their ranks in the list. */
  SELECT
    "algorithm",
    "user",
    "rank",
    MAX("rating") AS "rating"
  FROM "matches_duplicates_each_rel_0"
  GROUP BY
    "algorithm",
    "user",
    "item",
    "rank"
), "hits_duplicates_each_rel_0_per_list" AS (
  /* hits_duplicates_each_rel_0_per_list: aggregates over the rows of unnumbered_hits_duplicates_each_rel_0, for each list */
  SELECT
    "algorithm",
    "user",
    SUM((
      POWER(CAST(2 AS DOUBLE PRECISION), "rating" - 0 + 1) - 1
    ) * (
      LN(2) / LN("rank" + 1)
    )) FILTER(WHERE
      "rank" <= 10) AS "dcg_by_rank_duplicates_each_gain_excess_rel_0_at_10"
  FROM "unnumbered_hits_duplicates_each_rel_0"
  GROUP BY
    "algorithm",
    "user"
), "distinct_judgments" AS (
  /* distinct_judgments: the truth with one row per list and item; a repeated item keeps its highest rating. */
  SELECT
    "user",
    MAX("rating") AS "rating"
  FROM "judgments"
  GROUP BY
    "user",
    "item"
), "ideal_rel_0" AS (
  /* ideal_rel_0: the relevant items of each truth list in the ideal order, highest rating first. */
  SELECT
    "user",
    "rating",
    ROW_NUMBER() OVER (PARTITION BY "user" ORDER BY "rating" DESC NULLS LAST) AS "rank"
  FROM "distinct_judgments"
  WHERE
    "rating" >= 0
), "ideal_rel_0_per_list" AS (
  /* ideal_rel_0_per_list: aggregates over the rows of ideal_rel_0, for each list */
  SELECT
    "user",
    SUM((
      POWER(CAST(2 AS DOUBLE PRECISION), "rating" - 0 + 1) - 1
    ) * (
      LN(2) / LN("rank" + 1)
    )) FILTER(WHERE
      "rank" <= 10) AS "ideal_dcg_gain_excess_rel_0_at_10"
  FROM "ideal_rel_0"
  GROUP BY
    "user"
), "relevant_counts_rel_0" AS (
  /* relevant_counts_rel_0: the number of rows, items and relevant items of each truth list. */
  SELECT
    "user",
    COUNT(DISTINCT "item") FILTER(WHERE
      "rating" >= 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY
    "user"
), "relevant_counts_rel_0_per_list" AS (
  /* relevant_counts_rel_0_per_list: aggregates over the rows of relevant_counts_rel_0, for each list */
  SELECT
    "user",
    "n_relevant" AS "n_relevant_rel_0"
  FROM "relevant_counts_rel_0"
), "relevant_counts_relevance_any" AS (
  /* relevant_counts_relevance_any: the number of rows, items and relevant items of each truth list. */
  SELECT
    "user",
    COUNT(DISTINCT "item") AS "n_relevant"
  FROM "judgments"
  GROUP BY
    "user"
), "relevant_counts_relevance_any_per_list" AS (
  /* relevant_counts_relevance_any_per_list: aggregates over the rows of relevant_counts_relevance_any, for each list */
  SELECT
    "user",
    "n_relevant" AS "n_relevant_relevance_any"
  FROM "relevant_counts_relevance_any"
), "systems" AS (
  /* systems: the compared systems of each partition: those that have recommendations in it. */
  SELECT DISTINCT
    "algorithm"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists_zero" AS (
  /* lists_zero: the lists that the means are taken over: every list of the truth, for every system of its partition. */
  SELECT
    "relevant_counts_rel_0"."user" AS "user",
    "systems"."algorithm" AS "algorithm"
  FROM "relevant_counts_rel_0"
  CROSS JOIN "systems"
), "recommended_lists" AS (
  /* recommended_lists: the lists of the recommendations. */
  SELECT DISTINCT
    "algorithm",
    "user"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists_skip" AS (
  /* lists_skip: the lists that the means are taken over: every list that is both in the recommendations and in the truth. */
  SELECT
    "recommended_lists"."algorithm" AS "algorithm",
    "recommended_lists"."user" AS "user"
  FROM "recommended_lists"
  JOIN "relevant_counts_rel_0"
    ON "recommended_lists"."user" = "relevant_counts_rel_0"."user"
), "lists" AS (
  /* lists: the lists of the means, with a flag for each choice of `missing` */
  SELECT
    "algorithm",
    "user",
    MAX("in_zero") AS "in_zero",
    MAX("in_skip") AS "in_skip",
    MAX("in_listed") AS "in_listed"
  FROM (
    SELECT
      "algorithm",
      "user",
      1 AS "in_zero",
      0 AS "in_skip",
      0 AS "in_listed"
    FROM "lists_zero"
    UNION ALL
    SELECT
      "algorithm",
      "user",
      0 AS "in_zero",
      1 AS "in_skip",
      0 AS "in_listed"
    FROM "lists_skip"
    UNION ALL
    SELECT
      "algorithm",
      "user",
      0 AS "in_zero",
      0 AS "in_skip",
      1 AS "in_listed"
    FROM "recommended_lists"
  ) AS "every_list"
  GROUP BY
    "algorithm",
    "user"
), "measured" AS (
  /* measured: one row per list, with the aggregates that its metrics need */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    "lists"."in_zero",
    "lists"."in_skip",
    "lists"."in_listed",
    COALESCE("hits_duplicates_each_relevance_any_per_list"."dcg_by_rank_duplicates_each_relevance_any_at_10", 0) AS "dcg_by_rank_duplicates_each_relevance_any_at_10",
    COALESCE("ideal_relevance_any_per_list"."ideal_dcg_relevance_any_at_10", 0) AS "ideal_dcg_relevance_any_at_10",
    COALESCE("hits_duplicates_each_rel_0_per_list"."dcg_by_rank_duplicates_each_gain_excess_rel_0_at_10", 0) AS "dcg_by_rank_duplicates_each_gain_excess_rel_0_at_10",
    COALESCE("ideal_rel_0_per_list"."ideal_dcg_gain_excess_rel_0_at_10", 0) AS "ideal_dcg_gain_excess_rel_0_at_10",
    COALESCE("relevant_counts_rel_0_per_list"."n_relevant_rel_0", 0) AS "n_relevant_rel_0",
    COALESCE(
      "hits_duplicates_each_relevance_any_per_list"."dcg_by_rank_discount_lenskit_duplicates_each_relevance_4a289d00",
      0
    ) AS "dcg_by_rank_discount_lenskit_duplicates_each_relevance_4a289d00",
    COALESCE("ideal_relevance_any_per_list"."ideal_dcg_discount_lenskit_relevance_any_at_10", 0) AS "ideal_dcg_discount_lenskit_relevance_any_at_10"
  FROM "lists"
  LEFT JOIN "hits_duplicates_each_relevance_any_per_list"
    ON "lists"."algorithm" = "hits_duplicates_each_relevance_any_per_list"."algorithm"
    AND "lists"."user" = "hits_duplicates_each_relevance_any_per_list"."user"
  LEFT JOIN "hits_duplicates_each_rel_0_per_list"
    ON "lists"."algorithm" = "hits_duplicates_each_rel_0_per_list"."algorithm"
    AND "lists"."user" = "hits_duplicates_each_rel_0_per_list"."user"
  LEFT JOIN "ideal_rel_0_per_list"
    ON "lists"."user" = "ideal_rel_0_per_list"."user"
  LEFT JOIN "relevant_counts_rel_0_per_list"
    ON "lists"."user" = "relevant_counts_rel_0_per_list"."user"
  LEFT JOIN "relevant_counts_relevance_any_per_list"
    ON "lists"."user" = "relevant_counts_relevance_any_per_list"."user"
  LEFT JOIN "ideal_relevance_any_per_list"
    ON LEAST(10, COALESCE("relevant_counts_relevance_any_per_list"."n_relevant_relevance_any", 0)) = "ideal_relevance_any_per_list"."n_relevant"
), "per_list" AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    "algorithm",
    "user",
    "in_zero",
    "in_skip",
    "in_listed",
    CASE
      WHEN "in_zero" = 1
      THEN CAST("dcg_by_rank_duplicates_each_relevance_any_at_10" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_relevance_any_at_10", 0)
    END AS "ndcg_convention_replay_at_10",
    CASE
      WHEN "in_skip" = 1
      THEN CASE
        WHEN "n_relevant_rel_0" > 0
        THEN CAST("dcg_by_rank_duplicates_each_gain_excess_rel_0_at_10" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_gain_excess_rel_0_at_10", 0)
      END
    END AS "ndcg_convention_elliot_at_10",
    CASE
      WHEN "in_listed" = 1
      THEN COALESCE(
        CAST("dcg_by_rank_discount_lenskit_duplicates_each_relevance_4a289d00" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_discount_lenskit_relevance_any_at_10", 0),
        0
      )
    END AS "ndcg_convention_lenskit_at_10"
  FROM "measured"
)
SELECT
  "algorithm",
  COUNT(*) AS "n_lists",
  AVG(CAST("ndcg_convention_replay_at_10" AS DOUBLE PRECISION)) AS "ndcg_convention_replay_at_10",
  AVG(CAST("ndcg_convention_elliot_at_10" AS DOUBLE PRECISION)) AS "ndcg_convention_elliot_at_10",
  AVG(CAST("ndcg_convention_lenskit_at_10" AS DOUBLE PRECISION)) AS "ndcg_convention_lenskit_at_10"
FROM "per_list"
GROUP BY
  "algorithm"
ORDER BY
  "algorithm"
