-- Many cutoffs: hits that are alike are counted for what adds up over hits; one metric does not add up.
-- ndcg@1,5,10,20, recall@1,5,10,20, ap@1,5,10,20, rr@10, hit@10, f_beta@10
WITH "ranked" AS NOT MATERIALIZED (
  /* ranked: every recommendation with its rank. */
  SELECT
    "algorithm",
    "user",
    "item",
    CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL
), "recommended" AS (
  /* recommended: the recommendations that can matter: those up to the deepest cutoff asked for. */
  SELECT
    "algorithm",
    "user",
    "item",
    "rank"
  FROM "ranked"
  WHERE
    "rank" <= 20
), "judgments" AS NOT MATERIALIZED (
  /* judgments: the truth, row by row; a row without a rating counts as rated 1, a row with a NULL id is left out. */
  SELECT
    "user",
    "item",
    CAST(1 AS DOUBLE) AS "rating"
  FROM "db"."truth"
  WHERE
    "user" IS NOT NULL AND "item" IS NOT NULL
), "relevant" AS (
  /* relevant: the rows of the truth that a list should have found. */
  SELECT
    "user",
    "item"
  FROM "judgments"
  WHERE
    "rating" > 0
), "matched" AS MATERIALIZED (
  /* matched: the recommendations of relevant items. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."item",
    "recommended"."rank"
  FROM "recommended"
  JOIN "relevant"
    ON "recommended"."user" = "relevant"."user" AND "recommended"."item" = "relevant"."item"
), "found" AS (
  /* found: the relevant items that were recommended, each once, at its best rank and with its highest rating. */
  SELECT
    "algorithm",
    "user",
    MIN("rank") AS "rank"
  FROM "matched"
  GROUP BY
    "algorithm",
    "user",
    "item"
), "hits" AS (
  /* hits: what was found, numbered down the list. */
  SELECT
    "algorithm",
    "user",
    "rank",
    ROW_NUMBER() OVER (PARTITION BY "algorithm", "user" ORDER BY "rank") AS "hit_number"
  FROM "found"
), "hits_per_list" AS (
  /* what is asked of hits, per list */
  SELECT
    "algorithm",
    "user",
    COUNT(CASE WHEN "rank" <= 10 THEN 1 END) AS "n_hits@10"
  FROM "hits"
  GROUP BY
    "algorithm",
    "user"
), "sizes" AS (
  /* sizes: every list of the truth, with how much it holds. */
  SELECT
    "user",
    COUNT(DISTINCT "item") FILTER(WHERE
      "rating" > 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY
    "user"
), "sizes_per_list" AS (
  /* what is asked of sizes, per list */
  SELECT
    "user",
    "n_relevant"
  FROM "sizes"
), "systems" AS (
  /* systems: what was measured: each value of the list columns that the truth has not. */
  SELECT DISTINCT
    "algorithm"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists" AS (
  /* lists: whom the mean is taken over: every list of the truth, for every system. */
  SELECT
    "truth_lists"."user" AS "user",
    "systems"."algorithm" AS "algorithm"
  FROM "sizes" AS "truth_lists"
  CROSS JOIN "systems"
), "measured" AS (
  /* measured: each list with what was measured of it */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    COALESCE("sizes_per_list"."n_relevant", 0) AS "n_relevant",
    COALESCE("hits_per_list"."n_hits@10", 0) AS "n_hits@10"
  FROM "lists"
  LEFT JOIN "hits_per_list"
    ON "lists"."algorithm" = "hits_per_list"."algorithm" AND "lists"."user" = "hits_per_list"."user"
  LEFT JOIN "sizes_per_list"
    ON "lists"."user" = "sizes_per_list"."user"
), "per_list" AS (
  /* per_list: one row per list */
  SELECT
    "algorithm",
    "user",
    CASE
      WHEN 1 * 1 * (
        "n_hits@10" / 10
      ) + (
        "n_hits@10" / NULLIF("n_relevant", 0)
      ) = 0
      THEN CAST(0 AS DOUBLE)
      ELSE (
        1 + 1 * 1
      ) * (
        "n_hits@10" / 10
      ) * (
        "n_hits@10" / NULLIF("n_relevant", 0)
      ) / (
        1 * 1 * (
          "n_hits@10" / 10
        ) + (
          "n_hits@10" / NULLIF("n_relevant", 0)
        )
      )
    END AS "f_beta@10"
  FROM "measured"
), "places" AS NOT MATERIALIZED (
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
    (10),
    (11),
    (12),
    (13),
    (14),
    (15),
    (16),
    (17),
    (18),
    (19),
    (20)) AS "places"("rank")
), "ideal" AS (
  /* ideal: the best list there is, one row per place, for each number of relevant items. */
  SELECT
    "sizes"."rank" AS "n_relevant",
    "places"."rank" AS "rank"
  FROM "places" AS "sizes"
  JOIN "places"
    ON "places"."rank" <= "sizes"."rank"
), "ideal_per_list" AS (
  /* what is asked of ideal, per number of relevant items */
  SELECT
    "n_relevant",
    SUM(CASE WHEN "rank" <= 1 THEN "each ideal_dcg" END) AS "ideal_dcg@1",
    SUM(CASE WHEN "rank" <= 5 THEN "each ideal_dcg" END) AS "ideal_dcg@5",
    SUM(CASE WHEN "rank" <= 10 THEN "each ideal_dcg" END) AS "ideal_dcg@10",
    SUM(CASE WHEN "rank" <= 20 THEN "each ideal_dcg" END) AS "ideal_dcg@20"
  FROM (
    SELECT
      "n_relevant",
      "rank",
      LN(2) / LN("rank" + 1) AS "each ideal_dcg"
    FROM "ideal"
  ) AS "ideal"
  GROUP BY
    "n_relevant"
), "hits_alike" AS (
  /* hits_alike: how many hits are alike in rank, in number and in how much is relevant; a list may have none */
  SELECT
    "lists"."algorithm",
    "sizes_per_list"."n_relevant" AS "n_relevant",
    "hits"."hit_number",
    "hits"."rank",
    COUNT(*) AS "n_alike"
  FROM "lists"
  LEFT JOIN "sizes_per_list"
    ON "lists"."user" = "sizes_per_list"."user"
  LEFT JOIN "hits"
    ON "lists"."algorithm" = "hits"."algorithm" AND "lists"."user" = "hits"."user"
  GROUP BY
    "lists"."algorithm",
    "sizes_per_list"."n_relevant",
    "hits"."hit_number",
    "hits"."rank"
), "measured_alike" AS (
  /* measured_alike: hits that are alike, with what is measured of each */
  SELECT
    "hits_alike"."algorithm",
    "n_alike",
    CASE WHEN "hit_number" > 1 THEN 0 ELSE "n_alike" END AS "n_first",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 1 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@1",
    COALESCE("ideal_per_list"."ideal_dcg@1", 0) AS "ideal_dcg@1",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 5 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@5",
    COALESCE("ideal_per_list"."ideal_dcg@5", 0) AS "ideal_dcg@5",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 10 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@10",
    COALESCE("ideal_per_list"."ideal_dcg@10", 0) AS "ideal_dcg@10",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 20 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@20",
    COALESCE("ideal_per_list"."ideal_dcg@20", 0) AS "ideal_dcg@20",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 1 THEN 1 END, 0) AS "n_hits@1",
    COALESCE("hits_alike"."n_relevant", 0) AS "n_relevant",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 5 THEN 1 END, 0) AS "n_hits@5",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 10 THEN 1 END, 0) AS "n_hits@10",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 20 THEN 1 END, 0) AS "n_hits@20",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 1
        THEN CAST("hits_alike"."hit_number" AS DOUBLE) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@1",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 5
        THEN CAST("hits_alike"."hit_number" AS DOUBLE) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@5",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 10
        THEN CAST("hits_alike"."hit_number" AS DOUBLE) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@10",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 20
        THEN CAST("hits_alike"."hit_number" AS DOUBLE) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@20",
    CASE WHEN "hits_alike"."rank" <= 10 THEN "hits_alike"."rank" END AS "first_hit@10"
  FROM "hits_alike"
  LEFT JOIN "ideal_per_list"
    ON LEAST(20, COALESCE("hits_alike"."n_relevant", 0)) = "ideal_per_list"."n_relevant"
), "per_hit" AS (
  /* per_hit: what each of these hits adds */
  SELECT
    "algorithm",
    "n_alike",
    "n_first",
    "dcg@1" / NULLIF("ideal_dcg@1", 0) AS "ndcg@1",
    "dcg@5" / NULLIF("ideal_dcg@5", 0) AS "ndcg@5",
    "dcg@10" / NULLIF("ideal_dcg@10", 0) AS "ndcg@10",
    "dcg@20" / NULLIF("ideal_dcg@20", 0) AS "ndcg@20",
    "n_hits@1" / NULLIF("n_relevant", 0) AS "recall@1",
    "n_hits@5" / NULLIF("n_relevant", 0) AS "recall@5",
    "n_hits@10" / NULLIF("n_relevant", 0) AS "recall@10",
    "n_hits@20" / NULLIF("n_relevant", 0) AS "recall@20",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@1" / NULLIF(LEAST(1, "n_relevant"), 0) END AS "ap@1",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@5" / NULLIF(LEAST(5, "n_relevant"), 0) END AS "ap@5",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@10" / NULLIF(LEAST(10, "n_relevant"), 0) END AS "ap@10",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@20" / NULLIF(LEAST(20, "n_relevant"), 0) END AS "ap@20",
    CASE WHEN "n_relevant" > 0 THEN COALESCE(CAST(1 AS DOUBLE) / "first_hit@10", 0) END AS "rr@10",
    CASE
      WHEN "n_relevant" > 0
      THEN CASE WHEN "first_hit@10" IS NOT NULL THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
    END AS "hit@10"
  FROM "measured_alike"
), "of_lists" AS (
  /* of_lists: what is made of the lists' values, per system */
  SELECT
    "algorithm",
    AVG(CAST("f_beta@10" AS DOUBLE)) AS "f_beta@10"
  FROM "per_list"
  GROUP BY
    "algorithm"
), "of_hits" AS (
  /* of_hits: what is made of the lists' values, per system */
  SELECT
    "algorithm",
    CAST(COALESCE(SUM("n_first"), 0) AS BIGINT) AS "n_lists",
    SUM(CAST("ndcg@1" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "ndcg@1" IS NOT NULL THEN "n_first" END) AS "ndcg@1",
    SUM(CAST("ndcg@5" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "ndcg@5" IS NOT NULL THEN "n_first" END) AS "ndcg@5",
    SUM(CAST("ndcg@10" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "ndcg@10" IS NOT NULL THEN "n_first" END) AS "ndcg@10",
    SUM(CAST("ndcg@20" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "ndcg@20" IS NOT NULL THEN "n_first" END) AS "ndcg@20",
    SUM(CAST("recall@1" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "recall@1" IS NOT NULL THEN "n_first" END) AS "recall@1",
    SUM(CAST("recall@5" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "recall@5" IS NOT NULL THEN "n_first" END) AS "recall@5",
    SUM(CAST("recall@10" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "recall@10" IS NOT NULL THEN "n_first" END) AS "recall@10",
    SUM(CAST("recall@20" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "recall@20" IS NOT NULL THEN "n_first" END) AS "recall@20",
    SUM(CAST("ap@1" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "ap@1" IS NOT NULL THEN "n_first" END) AS "ap@1",
    SUM(CAST("ap@5" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "ap@5" IS NOT NULL THEN "n_first" END) AS "ap@5",
    SUM(CAST("ap@10" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "ap@10" IS NOT NULL THEN "n_first" END) AS "ap@10",
    SUM(CAST("ap@20" AS DOUBLE) * "n_alike") / SUM(CASE WHEN "ap@20" IS NOT NULL THEN "n_first" END) AS "ap@20",
    SUM(CAST("rr@10" AS DOUBLE) * "n_first") / SUM(CASE WHEN "rr@10" IS NOT NULL THEN "n_first" END) AS "rr@10",
    SUM(CAST("hit@10" AS DOUBLE) * "n_first") / SUM(CASE WHEN "hit@10" IS NOT NULL THEN "n_first" END) AS "hit@10"
  FROM "per_hit"
  GROUP BY
    "algorithm"
)
SELECT
  "of_lists"."algorithm" AS "algorithm",
  "n_lists",
  "ndcg@1",
  "ndcg@5",
  "ndcg@10",
  "ndcg@20",
  "recall@1",
  "recall@5",
  "recall@10",
  "recall@20",
  "ap@1",
  "ap@5",
  "ap@10",
  "ap@20",
  "rr@10",
  "hit@10",
  "f_beta@10"
FROM "of_lists"
LEFT JOIN "of_hits"
  ON "of_lists"."algorithm" = "of_hits"."algorithm"
ORDER BY
  "of_lists"."algorithm"
