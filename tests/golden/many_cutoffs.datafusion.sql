-- Many cutoffs: the query has the same steps, however many there are.
-- ndcg@1..8, recall@1..8, ap@1..8, rr@8, hit@8, f_beta@10
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
), "recommended" AS (
  /* recommended: the recommendations down to the largest cutoff. */
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
    CAST(1 AS DOUBLE PRECISION) AS "rating"
  FROM "db"."truth"
  WHERE
    "user" IS NOT NULL AND "item" IS NOT NULL
), "relevant" AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT
    "user",
    "item"
  FROM "judgments"
  WHERE
    "rating" > 0
), "matches" AS (
  /* matches: the recommendations of relevant items. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."item",
    "recommended"."rank"
  FROM "recommended"
  JOIN "relevant"
    ON "recommended"."user" = "relevant"."user" AND "recommended"."item" = "relevant"."item"
), "unnumbered_hits" AS (
  /* unnumbered_hits: the relevant items that were recommended, each once, with its best rank and its highest rating. */
  SELECT
    "algorithm",
    "user",
    MIN("rank") AS "rank"
  FROM "matches"
  GROUP BY
    "algorithm",
    "user",
    "item"
), "hits" AS (
  /* hits: the relevant items that were recommended, numbered from the top of the list. */
  SELECT
    "algorithm",
    "user",
    "rank",
    ROW_NUMBER() OVER (PARTITION BY "algorithm", "user" ORDER BY "rank") AS "hit_number"
  FROM "unnumbered_hits"
), "hits_per_list" AS (
  /* hits_per_list: aggregates over the rows of hits, for each list */
  SELECT
    "algorithm",
    "user",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 1) AS "dcg_by_rank_at_1",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 2) AS "dcg_by_rank_at_2",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 3) AS "dcg_by_rank_at_3",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 4) AS "dcg_by_rank_at_4",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 5) AS "dcg_by_rank_at_5",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 6) AS "dcg_by_rank_at_6",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 7) AS "dcg_by_rank_at_7",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 8) AS "dcg_by_rank_at_8",
    COUNT(*) FILTER(WHERE
      "rank" <= 1) AS "n_hits_at_1",
    COUNT(*) FILTER(WHERE
      "rank" <= 2) AS "n_hits_at_2",
    COUNT(*) FILTER(WHERE
      "rank" <= 3) AS "n_hits_at_3",
    COUNT(*) FILTER(WHERE
      "rank" <= 4) AS "n_hits_at_4",
    COUNT(*) FILTER(WHERE
      "rank" <= 5) AS "n_hits_at_5",
    COUNT(*) FILTER(WHERE
      "rank" <= 6) AS "n_hits_at_6",
    COUNT(*) FILTER(WHERE
      "rank" <= 7) AS "n_hits_at_7",
    COUNT(*) FILTER(WHERE
      "rank" <= 8) AS "n_hits_at_8",
    SUM(CAST("hit_number" AS DOUBLE PRECISION) / "rank") FILTER(WHERE
      "rank" <= 1) AS "precisions_at_hits_at_1",
    SUM(CAST("hit_number" AS DOUBLE PRECISION) / "rank") FILTER(WHERE
      "rank" <= 2) AS "precisions_at_hits_at_2",
    SUM(CAST("hit_number" AS DOUBLE PRECISION) / "rank") FILTER(WHERE
      "rank" <= 3) AS "precisions_at_hits_at_3",
    SUM(CAST("hit_number" AS DOUBLE PRECISION) / "rank") FILTER(WHERE
      "rank" <= 4) AS "precisions_at_hits_at_4",
    SUM(CAST("hit_number" AS DOUBLE PRECISION) / "rank") FILTER(WHERE
      "rank" <= 5) AS "precisions_at_hits_at_5",
    SUM(CAST("hit_number" AS DOUBLE PRECISION) / "rank") FILTER(WHERE
      "rank" <= 6) AS "precisions_at_hits_at_6",
    SUM(CAST("hit_number" AS DOUBLE PRECISION) / "rank") FILTER(WHERE
      "rank" <= 7) AS "precisions_at_hits_at_7",
    SUM(CAST("hit_number" AS DOUBLE PRECISION) / "rank") FILTER(WHERE
      "rank" <= 8) AS "precisions_at_hits_at_8",
    MIN("rank") FILTER(WHERE
      "rank" <= 8) AS "first_hit_at_8",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "n_hits_at_10"
  FROM "hits"
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
    (8)) AS "positions"("rank")
), "ideal" AS (
  /* ideal: the ranks of an ideal list, for each possible number of relevant items. */
  SELECT
    "counts"."rank" AS "n_relevant",
    "positions"."rank" AS "rank"
  FROM "positions" AS "counts"
  JOIN "positions"
    ON "positions"."rank" <= "counts"."rank"
), "ideal_per_list" AS (
  /* ideal_per_list: aggregates over the rows of ideal, for each number of relevant items */
  SELECT
    "n_relevant",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 1) AS "ideal_dcg_at_1",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 2) AS "ideal_dcg_at_2",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 3) AS "ideal_dcg_at_3",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 4) AS "ideal_dcg_at_4",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 5) AS "ideal_dcg_at_5",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 6) AS "ideal_dcg_at_6",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 7) AS "ideal_dcg_at_7",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= 8) AS "ideal_dcg_at_8"
  FROM "ideal"
  GROUP BY
    "n_relevant"
), "relevant_counts" AS (
  /* relevant_counts: the number of rows, items and relevant items of each truth list. */
  SELECT
    "user",
    COUNT(DISTINCT "item") FILTER(WHERE
      "rating" > 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY
    "user"
), "relevant_counts_per_list" AS (
  /* relevant_counts_per_list: aggregates over the rows of relevant_counts, for each list */
  SELECT
    "user",
    "n_relevant"
  FROM "relevant_counts"
), "systems" AS (
  /* systems: the compared systems of each partition: those that have recommendations in it. */
  SELECT DISTINCT
    "algorithm"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists" AS (
  /* lists: the lists that the means are taken over: every list of the truth, for every system of its partition. */
  SELECT
    "relevant_counts"."user" AS "user",
    "systems"."algorithm" AS "algorithm"
  FROM "relevant_counts"
  CROSS JOIN "systems"
), "measured" AS (
  /* measured: one row per list, with the aggregates that its metrics need */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    COALESCE("hits_per_list"."dcg_by_rank_at_1", 0) AS "dcg_by_rank_at_1",
    COALESCE("ideal_per_list"."ideal_dcg_at_1", 0) AS "ideal_dcg_at_1",
    COALESCE("hits_per_list"."dcg_by_rank_at_2", 0) AS "dcg_by_rank_at_2",
    COALESCE("ideal_per_list"."ideal_dcg_at_2", 0) AS "ideal_dcg_at_2",
    COALESCE("hits_per_list"."dcg_by_rank_at_3", 0) AS "dcg_by_rank_at_3",
    COALESCE("ideal_per_list"."ideal_dcg_at_3", 0) AS "ideal_dcg_at_3",
    COALESCE("hits_per_list"."dcg_by_rank_at_4", 0) AS "dcg_by_rank_at_4",
    COALESCE("ideal_per_list"."ideal_dcg_at_4", 0) AS "ideal_dcg_at_4",
    COALESCE("hits_per_list"."dcg_by_rank_at_5", 0) AS "dcg_by_rank_at_5",
    COALESCE("ideal_per_list"."ideal_dcg_at_5", 0) AS "ideal_dcg_at_5",
    COALESCE("hits_per_list"."dcg_by_rank_at_6", 0) AS "dcg_by_rank_at_6",
    COALESCE("ideal_per_list"."ideal_dcg_at_6", 0) AS "ideal_dcg_at_6",
    COALESCE("hits_per_list"."dcg_by_rank_at_7", 0) AS "dcg_by_rank_at_7",
    COALESCE("ideal_per_list"."ideal_dcg_at_7", 0) AS "ideal_dcg_at_7",
    COALESCE("hits_per_list"."dcg_by_rank_at_8", 0) AS "dcg_by_rank_at_8",
    COALESCE("ideal_per_list"."ideal_dcg_at_8", 0) AS "ideal_dcg_at_8",
    COALESCE("hits_per_list"."n_hits_at_1", 0) AS "n_hits_at_1",
    COALESCE("relevant_counts_per_list"."n_relevant", 0) AS "n_relevant",
    COALESCE("hits_per_list"."n_hits_at_2", 0) AS "n_hits_at_2",
    COALESCE("hits_per_list"."n_hits_at_3", 0) AS "n_hits_at_3",
    COALESCE("hits_per_list"."n_hits_at_4", 0) AS "n_hits_at_4",
    COALESCE("hits_per_list"."n_hits_at_5", 0) AS "n_hits_at_5",
    COALESCE("hits_per_list"."n_hits_at_6", 0) AS "n_hits_at_6",
    COALESCE("hits_per_list"."n_hits_at_7", 0) AS "n_hits_at_7",
    COALESCE("hits_per_list"."n_hits_at_8", 0) AS "n_hits_at_8",
    COALESCE("hits_per_list"."precisions_at_hits_at_1", 0) AS "precisions_at_hits_at_1",
    COALESCE("hits_per_list"."precisions_at_hits_at_2", 0) AS "precisions_at_hits_at_2",
    COALESCE("hits_per_list"."precisions_at_hits_at_3", 0) AS "precisions_at_hits_at_3",
    COALESCE("hits_per_list"."precisions_at_hits_at_4", 0) AS "precisions_at_hits_at_4",
    COALESCE("hits_per_list"."precisions_at_hits_at_5", 0) AS "precisions_at_hits_at_5",
    COALESCE("hits_per_list"."precisions_at_hits_at_6", 0) AS "precisions_at_hits_at_6",
    COALESCE("hits_per_list"."precisions_at_hits_at_7", 0) AS "precisions_at_hits_at_7",
    COALESCE("hits_per_list"."precisions_at_hits_at_8", 0) AS "precisions_at_hits_at_8",
    "hits_per_list"."first_hit_at_8" AS "first_hit_at_8",
    COALESCE("hits_per_list"."n_hits_at_10", 0) AS "n_hits_at_10"
  FROM "lists"
  LEFT JOIN "hits_per_list"
    ON "lists"."algorithm" = "hits_per_list"."algorithm" AND "lists"."user" = "hits_per_list"."user"
  LEFT JOIN "relevant_counts_per_list"
    ON "lists"."user" = "relevant_counts_per_list"."user"
  LEFT JOIN "ideal_per_list"
    ON LEAST(8, COALESCE("relevant_counts_per_list"."n_relevant", 0)) = "ideal_per_list"."n_relevant"
), "per_list" AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    "algorithm",
    "user",
    CAST("dcg_by_rank_at_1" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_at_1", 0) AS "ndcg_at_1",
    CAST("dcg_by_rank_at_2" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_at_2", 0) AS "ndcg_at_2",
    CAST("dcg_by_rank_at_3" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_at_3", 0) AS "ndcg_at_3",
    CAST("dcg_by_rank_at_4" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_at_4", 0) AS "ndcg_at_4",
    CAST("dcg_by_rank_at_5" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_at_5", 0) AS "ndcg_at_5",
    CAST("dcg_by_rank_at_6" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_at_6", 0) AS "ndcg_at_6",
    CAST("dcg_by_rank_at_7" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_at_7", 0) AS "ndcg_at_7",
    CAST("dcg_by_rank_at_8" AS DOUBLE PRECISION) / NULLIF("ideal_dcg_at_8", 0) AS "ndcg_at_8",
    CAST("n_hits_at_1" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0) AS "recall_at_1",
    CAST("n_hits_at_2" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0) AS "recall_at_2",
    CAST("n_hits_at_3" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0) AS "recall_at_3",
    CAST("n_hits_at_4" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0) AS "recall_at_4",
    CAST("n_hits_at_5" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0) AS "recall_at_5",
    CAST("n_hits_at_6" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0) AS "recall_at_6",
    CAST("n_hits_at_7" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0) AS "recall_at_7",
    CAST("n_hits_at_8" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0) AS "recall_at_8",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits_at_1" AS DOUBLE PRECISION) / NULLIF(LEAST(1, "n_relevant"), 0)
    END AS "ap_at_1",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits_at_2" AS DOUBLE PRECISION) / NULLIF(LEAST(2, "n_relevant"), 0)
    END AS "ap_at_2",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits_at_3" AS DOUBLE PRECISION) / NULLIF(LEAST(3, "n_relevant"), 0)
    END AS "ap_at_3",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits_at_4" AS DOUBLE PRECISION) / NULLIF(LEAST(4, "n_relevant"), 0)
    END AS "ap_at_4",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits_at_5" AS DOUBLE PRECISION) / NULLIF(LEAST(5, "n_relevant"), 0)
    END AS "ap_at_5",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits_at_6" AS DOUBLE PRECISION) / NULLIF(LEAST(6, "n_relevant"), 0)
    END AS "ap_at_6",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits_at_7" AS DOUBLE PRECISION) / NULLIF(LEAST(7, "n_relevant"), 0)
    END AS "ap_at_7",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits_at_8" AS DOUBLE PRECISION) / NULLIF(LEAST(8, "n_relevant"), 0)
    END AS "ap_at_8",
    CASE WHEN "n_relevant" > 0 THEN COALESCE(CAST(1 AS DOUBLE PRECISION) / "first_hit_at_8", 0) END AS "rr_at_8",
    CASE
      WHEN "n_relevant" > 0
      THEN CASE
        WHEN "first_hit_at_8" IS NOT NULL
        THEN CAST(1 AS DOUBLE PRECISION)
        ELSE CAST(0 AS DOUBLE PRECISION)
      END
    END AS "hit_at_8",
    CASE
      WHEN 1 * 1 * (
        CAST("n_hits_at_10" AS DOUBLE PRECISION) / 10
      ) + (
        CAST("n_hits_at_10" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0)
      ) = 0
      THEN CAST(0 AS DOUBLE PRECISION)
      ELSE CAST((
        1 + 1 * 1
      ) * (
        CAST("n_hits_at_10" AS DOUBLE PRECISION) / 10
      ) * (
        CAST("n_hits_at_10" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0)
      ) AS DOUBLE PRECISION) / (
        1 * 1 * (
          CAST("n_hits_at_10" AS DOUBLE PRECISION) / 10
        ) + (
          CAST("n_hits_at_10" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0)
        )
      )
    END AS "f_beta_at_10"
  FROM "measured"
)
SELECT
  "algorithm",
  COUNT(*) AS "n_lists",
  AVG(CAST("ndcg_at_1" AS DOUBLE PRECISION)) AS "ndcg_at_1",
  AVG(CAST("ndcg_at_2" AS DOUBLE PRECISION)) AS "ndcg_at_2",
  AVG(CAST("ndcg_at_3" AS DOUBLE PRECISION)) AS "ndcg_at_3",
  AVG(CAST("ndcg_at_4" AS DOUBLE PRECISION)) AS "ndcg_at_4",
  AVG(CAST("ndcg_at_5" AS DOUBLE PRECISION)) AS "ndcg_at_5",
  AVG(CAST("ndcg_at_6" AS DOUBLE PRECISION)) AS "ndcg_at_6",
  AVG(CAST("ndcg_at_7" AS DOUBLE PRECISION)) AS "ndcg_at_7",
  AVG(CAST("ndcg_at_8" AS DOUBLE PRECISION)) AS "ndcg_at_8",
  AVG(CAST("recall_at_1" AS DOUBLE PRECISION)) AS "recall_at_1",
  AVG(CAST("recall_at_2" AS DOUBLE PRECISION)) AS "recall_at_2",
  AVG(CAST("recall_at_3" AS DOUBLE PRECISION)) AS "recall_at_3",
  AVG(CAST("recall_at_4" AS DOUBLE PRECISION)) AS "recall_at_4",
  AVG(CAST("recall_at_5" AS DOUBLE PRECISION)) AS "recall_at_5",
  AVG(CAST("recall_at_6" AS DOUBLE PRECISION)) AS "recall_at_6",
  AVG(CAST("recall_at_7" AS DOUBLE PRECISION)) AS "recall_at_7",
  AVG(CAST("recall_at_8" AS DOUBLE PRECISION)) AS "recall_at_8",
  AVG(CAST("ap_at_1" AS DOUBLE PRECISION)) AS "ap_at_1",
  AVG(CAST("ap_at_2" AS DOUBLE PRECISION)) AS "ap_at_2",
  AVG(CAST("ap_at_3" AS DOUBLE PRECISION)) AS "ap_at_3",
  AVG(CAST("ap_at_4" AS DOUBLE PRECISION)) AS "ap_at_4",
  AVG(CAST("ap_at_5" AS DOUBLE PRECISION)) AS "ap_at_5",
  AVG(CAST("ap_at_6" AS DOUBLE PRECISION)) AS "ap_at_6",
  AVG(CAST("ap_at_7" AS DOUBLE PRECISION)) AS "ap_at_7",
  AVG(CAST("ap_at_8" AS DOUBLE PRECISION)) AS "ap_at_8",
  AVG(CAST("rr_at_8" AS DOUBLE PRECISION)) AS "rr_at_8",
  AVG(CAST("hit_at_8" AS DOUBLE PRECISION)) AS "hit_at_8",
  AVG(CAST("f_beta_at_10" AS DOUBLE PRECISION)) AS "f_beta_at_10"
FROM "per_list"
GROUP BY
  "algorithm"
ORDER BY
  "algorithm"
