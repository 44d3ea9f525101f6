-- Many cutoffs: hits that are alike are counted for what adds up over hits; one metric does not add up.
-- ndcg@1..8, recall@1..8, ap@1..8, rr@8, hit@8, f_beta@10
WITH "ranked" AS NOT MATERIALIZED (
  /* ranked: every recommendation with its rank. */
  SELECT
    "algorithm",
    "user",
    "item",
    CAST("rank" AS INTEGER) AS "rank"
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
    "rank" <= 10
), "judgments" AS NOT MATERIALIZED (
  /* judgments: the truth, row by row; a row without a rating counts as rated 1, a row with a NULL id is left out. */
  SELECT
    "user",
    "item",
    CAST(1 AS REAL) AS "rating"
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
    ROW_NUMBER() OVER (PARTITION BY "algorithm", "user" ORDER BY "rank" NULLS LAST) AS "hit_number"
  FROM "found"
), "hits_per_list" AS (
  /* what is asked of hits, per list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "n_hits@10"
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
        CAST("n_hits@10" AS REAL) / 10
      ) + (
        CAST("n_hits@10" AS REAL) / NULLIF("n_relevant", 0)
      ) = 0
      THEN CAST(0 AS REAL)
      ELSE CAST((
        1 + 1 * 1
      ) * (
        CAST("n_hits@10" AS REAL) / 10
      ) * (
        CAST("n_hits@10" AS REAL) / NULLIF("n_relevant", 0)
      ) AS REAL) / (
        1 * 1 * (
          CAST("n_hits@10" AS REAL) / 10
        ) + (
          CAST("n_hits@10" AS REAL) / NULLIF("n_relevant", 0)
        )
      )
    END AS "f_beta@10"
  FROM "measured"
), "places" AS NOT MATERIALIZED (
  /* places: the places of a list, 1 to the deepest cutoff. */
  SELECT
    "rank"
  FROM (
    SELECT
      1 AS "rank"
    UNION ALL
    SELECT
      2 AS "rank"
    UNION ALL
    SELECT
      3 AS "rank"
    UNION ALL
    SELECT
      4 AS "rank"
    UNION ALL
    SELECT
      5 AS "rank"
    UNION ALL
    SELECT
      6 AS "rank"
    UNION ALL
    SELECT
      7 AS "rank"
    UNION ALL
    SELECT
      8 AS "rank"
  ) AS "places"
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
    SUM("each ideal_dcg") FILTER(WHERE
      "rank" <= 1) AS "ideal_dcg@1",
    SUM("each ideal_dcg") FILTER(WHERE
      "rank" <= 2) AS "ideal_dcg@2",
    SUM("each ideal_dcg") FILTER(WHERE
      "rank" <= 3) AS "ideal_dcg@3",
    SUM("each ideal_dcg") FILTER(WHERE
      "rank" <= 4) AS "ideal_dcg@4",
    SUM("each ideal_dcg") FILTER(WHERE
      "rank" <= 5) AS "ideal_dcg@5",
    SUM("each ideal_dcg") FILTER(WHERE
      "rank" <= 6) AS "ideal_dcg@6",
    SUM("each ideal_dcg") FILTER(WHERE
      "rank" <= 7) AS "ideal_dcg@7",
    SUM("each ideal_dcg") FILTER(WHERE
      "rank" <= 8) AS "ideal_dcg@8"
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
    COALESCE(CASE WHEN "hits_alike"."rank" <= 2 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@2",
    COALESCE("ideal_per_list"."ideal_dcg@2", 0) AS "ideal_dcg@2",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 3 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@3",
    COALESCE("ideal_per_list"."ideal_dcg@3", 0) AS "ideal_dcg@3",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 4 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@4",
    COALESCE("ideal_per_list"."ideal_dcg@4", 0) AS "ideal_dcg@4",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 5 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@5",
    COALESCE("ideal_per_list"."ideal_dcg@5", 0) AS "ideal_dcg@5",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 6 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@6",
    COALESCE("ideal_per_list"."ideal_dcg@6", 0) AS "ideal_dcg@6",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 7 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@7",
    COALESCE("ideal_per_list"."ideal_dcg@7", 0) AS "ideal_dcg@7",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 8 THEN LN(2) / LN("hits_alike"."rank" + 1) END, 0) AS "dcg@8",
    COALESCE("ideal_per_list"."ideal_dcg@8", 0) AS "ideal_dcg@8",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 1 THEN 1 END, 0) AS "n_hits@1",
    COALESCE("hits_alike"."n_relevant", 0) AS "n_relevant",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 2 THEN 1 END, 0) AS "n_hits@2",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 3 THEN 1 END, 0) AS "n_hits@3",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 4 THEN 1 END, 0) AS "n_hits@4",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 5 THEN 1 END, 0) AS "n_hits@5",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 6 THEN 1 END, 0) AS "n_hits@6",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 7 THEN 1 END, 0) AS "n_hits@7",
    COALESCE(CASE WHEN "hits_alike"."rank" <= 8 THEN 1 END, 0) AS "n_hits@8",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 1
        THEN CAST("hits_alike"."hit_number" AS REAL) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@1",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 2
        THEN CAST("hits_alike"."hit_number" AS REAL) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@2",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 3
        THEN CAST("hits_alike"."hit_number" AS REAL) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@3",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 4
        THEN CAST("hits_alike"."hit_number" AS REAL) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@4",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 5
        THEN CAST("hits_alike"."hit_number" AS REAL) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@5",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 6
        THEN CAST("hits_alike"."hit_number" AS REAL) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@6",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 7
        THEN CAST("hits_alike"."hit_number" AS REAL) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@7",
    COALESCE(
      CASE
        WHEN "hits_alike"."rank" <= 8
        THEN CAST("hits_alike"."hit_number" AS REAL) / "hits_alike"."rank"
      END,
      0
    ) AS "precisions_at_hits@8",
    CASE WHEN "hits_alike"."rank" <= 8 THEN "hits_alike"."rank" END AS "first_hit@8"
  FROM "hits_alike"
  LEFT JOIN "ideal_per_list"
    ON COALESCE(MIN(8, COALESCE("hits_alike"."n_relevant", 0)), 8, COALESCE("hits_alike"."n_relevant", 0)) = "ideal_per_list"."n_relevant"
), "per_hit" AS (
  /* per_hit: what each of these hits adds */
  SELECT
    "algorithm",
    "n_alike",
    "n_first",
    CAST("dcg@1" AS REAL) / NULLIF("ideal_dcg@1", 0) AS "ndcg@1",
    CAST("dcg@2" AS REAL) / NULLIF("ideal_dcg@2", 0) AS "ndcg@2",
    CAST("dcg@3" AS REAL) / NULLIF("ideal_dcg@3", 0) AS "ndcg@3",
    CAST("dcg@4" AS REAL) / NULLIF("ideal_dcg@4", 0) AS "ndcg@4",
    CAST("dcg@5" AS REAL) / NULLIF("ideal_dcg@5", 0) AS "ndcg@5",
    CAST("dcg@6" AS REAL) / NULLIF("ideal_dcg@6", 0) AS "ndcg@6",
    CAST("dcg@7" AS REAL) / NULLIF("ideal_dcg@7", 0) AS "ndcg@7",
    CAST("dcg@8" AS REAL) / NULLIF("ideal_dcg@8", 0) AS "ndcg@8",
    CAST("n_hits@1" AS REAL) / NULLIF("n_relevant", 0) AS "recall@1",
    CAST("n_hits@2" AS REAL) / NULLIF("n_relevant", 0) AS "recall@2",
    CAST("n_hits@3" AS REAL) / NULLIF("n_relevant", 0) AS "recall@3",
    CAST("n_hits@4" AS REAL) / NULLIF("n_relevant", 0) AS "recall@4",
    CAST("n_hits@5" AS REAL) / NULLIF("n_relevant", 0) AS "recall@5",
    CAST("n_hits@6" AS REAL) / NULLIF("n_relevant", 0) AS "recall@6",
    CAST("n_hits@7" AS REAL) / NULLIF("n_relevant", 0) AS "recall@7",
    CAST("n_hits@8" AS REAL) / NULLIF("n_relevant", 0) AS "recall@8",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits@1" AS REAL) / NULLIF(COALESCE(MIN(1, "n_relevant"), 1, "n_relevant"), 0)
    END AS "ap@1",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits@2" AS REAL) / NULLIF(COALESCE(MIN(2, "n_relevant"), 2, "n_relevant"), 0)
    END AS "ap@2",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits@3" AS REAL) / NULLIF(COALESCE(MIN(3, "n_relevant"), 3, "n_relevant"), 0)
    END AS "ap@3",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits@4" AS REAL) / NULLIF(COALESCE(MIN(4, "n_relevant"), 4, "n_relevant"), 0)
    END AS "ap@4",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits@5" AS REAL) / NULLIF(COALESCE(MIN(5, "n_relevant"), 5, "n_relevant"), 0)
    END AS "ap@5",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits@6" AS REAL) / NULLIF(COALESCE(MIN(6, "n_relevant"), 6, "n_relevant"), 0)
    END AS "ap@6",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits@7" AS REAL) / NULLIF(COALESCE(MIN(7, "n_relevant"), 7, "n_relevant"), 0)
    END AS "ap@7",
    CASE
      WHEN "n_relevant" > 0
      THEN CAST("precisions_at_hits@8" AS REAL) / NULLIF(COALESCE(MIN(8, "n_relevant"), 8, "n_relevant"), 0)
    END AS "ap@8",
    CASE WHEN "n_relevant" > 0 THEN COALESCE(CAST(1 AS REAL) / "first_hit@8", 0) END AS "rr@8",
    CASE
      WHEN "n_relevant" > 0
      THEN CASE WHEN "first_hit@8" IS NOT NULL THEN CAST(1 AS REAL) ELSE CAST(0 AS REAL) END
    END AS "hit@8"
  FROM "measured_alike"
), "of_lists" AS (
  /* of_lists: what is made of the lists' values, per system */
  SELECT
    "algorithm",
    AVG(CAST("f_beta@10" AS REAL)) AS "f_beta@10"
  FROM "per_list"
  GROUP BY
    "algorithm"
), "of_hits" AS (
  /* of_hits: what is made of the lists' values, per system */
  SELECT
    "algorithm",
    CAST(COALESCE(SUM("n_first"), 0) AS INTEGER) AS "n_lists",
    CAST(SUM(CAST("ndcg@1" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ndcg@1" IS NOT NULL THEN "n_first" END) AS "ndcg@1",
    CAST(SUM(CAST("ndcg@2" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ndcg@2" IS NOT NULL THEN "n_first" END) AS "ndcg@2",
    CAST(SUM(CAST("ndcg@3" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ndcg@3" IS NOT NULL THEN "n_first" END) AS "ndcg@3",
    CAST(SUM(CAST("ndcg@4" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ndcg@4" IS NOT NULL THEN "n_first" END) AS "ndcg@4",
    CAST(SUM(CAST("ndcg@5" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ndcg@5" IS NOT NULL THEN "n_first" END) AS "ndcg@5",
    CAST(SUM(CAST("ndcg@6" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ndcg@6" IS NOT NULL THEN "n_first" END) AS "ndcg@6",
    CAST(SUM(CAST("ndcg@7" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ndcg@7" IS NOT NULL THEN "n_first" END) AS "ndcg@7",
    CAST(SUM(CAST("ndcg@8" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ndcg@8" IS NOT NULL THEN "n_first" END) AS "ndcg@8",
    CAST(SUM(CAST("recall@1" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "recall@1" IS NOT NULL THEN "n_first" END) AS "recall@1",
    CAST(SUM(CAST("recall@2" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "recall@2" IS NOT NULL THEN "n_first" END) AS "recall@2",
    CAST(SUM(CAST("recall@3" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "recall@3" IS NOT NULL THEN "n_first" END) AS "recall@3",
    CAST(SUM(CAST("recall@4" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "recall@4" IS NOT NULL THEN "n_first" END) AS "recall@4",
    CAST(SUM(CAST("recall@5" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "recall@5" IS NOT NULL THEN "n_first" END) AS "recall@5",
    CAST(SUM(CAST("recall@6" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "recall@6" IS NOT NULL THEN "n_first" END) AS "recall@6",
    CAST(SUM(CAST("recall@7" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "recall@7" IS NOT NULL THEN "n_first" END) AS "recall@7",
    CAST(SUM(CAST("recall@8" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "recall@8" IS NOT NULL THEN "n_first" END) AS "recall@8",
    CAST(SUM(CAST("ap@1" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ap@1" IS NOT NULL THEN "n_first" END) AS "ap@1",
    CAST(SUM(CAST("ap@2" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ap@2" IS NOT NULL THEN "n_first" END) AS "ap@2",
    CAST(SUM(CAST("ap@3" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ap@3" IS NOT NULL THEN "n_first" END) AS "ap@3",
    CAST(SUM(CAST("ap@4" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ap@4" IS NOT NULL THEN "n_first" END) AS "ap@4",
    CAST(SUM(CAST("ap@5" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ap@5" IS NOT NULL THEN "n_first" END) AS "ap@5",
    CAST(SUM(CAST("ap@6" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ap@6" IS NOT NULL THEN "n_first" END) AS "ap@6",
    CAST(SUM(CAST("ap@7" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ap@7" IS NOT NULL THEN "n_first" END) AS "ap@7",
    CAST(SUM(CAST("ap@8" AS REAL) * "n_alike") AS REAL) / SUM(CASE WHEN "ap@8" IS NOT NULL THEN "n_first" END) AS "ap@8",
    CAST(SUM(CAST("rr@8" AS REAL) * "n_first") AS REAL) / SUM(CASE WHEN "rr@8" IS NOT NULL THEN "n_first" END) AS "rr@8",
    CAST(SUM(CAST("hit@8" AS REAL) * "n_first") AS REAL) / SUM(CASE WHEN "hit@8" IS NOT NULL THEN "n_first" END) AS "hit@8"
  FROM "per_hit"
  GROUP BY
    "algorithm"
)
SELECT
  "of_lists"."algorithm" AS "algorithm",
  "n_lists",
  "ndcg@1",
  "ndcg@2",
  "ndcg@3",
  "ndcg@4",
  "ndcg@5",
  "ndcg@6",
  "ndcg@7",
  "ndcg@8",
  "recall@1",
  "recall@2",
  "recall@3",
  "recall@4",
  "recall@5",
  "recall@6",
  "recall@7",
  "recall@8",
  "ap@1",
  "ap@2",
  "ap@3",
  "ap@4",
  "ap@5",
  "ap@6",
  "ap@7",
  "ap@8",
  "rr@8",
  "hit@8",
  "f_beta@10"
FROM "of_lists"
LEFT JOIN "of_hits"
  ON "of_lists"."algorithm" = "of_hits"."algorithm"
ORDER BY
  "of_lists"."algorithm" NULLS LAST
