-- Many cutoffs: hits that are alike are counted for what adds up over hits; one metric does not add up.
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
  /* aggregates of hits, per list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "n_hits@10"
  FROM "hits"
  GROUP BY
    "algorithm",
    "user"
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
  /* aggregates of relevant_counts, per list */
  SELECT
    "user",
    "n_relevant"
  FROM "relevant_counts"
), "systems" AS (
  /* systems: the compared systems: the distinct values of the list columns that only the recommendations have. */
  SELECT DISTINCT
    "algorithm"
  FROM "db"."recs"
  WHERE
    "algorithm" IS NOT NULL AND "user" IS NOT NULL
), "lists" AS (
  /* lists: the lists that the means are taken over: every list of the truth, for every system. */
  SELECT
    "truth_lists"."user" AS "user",
    "systems"."algorithm" AS "algorithm"
  FROM "relevant_counts" AS "truth_lists"
  CROSS JOIN "systems"
), "measured" AS (
  /* measured: each list with the aggregates that its metrics need */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    COALESCE("relevant_counts_per_list"."n_relevant", 0) AS "n_relevant",
    COALESCE("hits_per_list"."n_hits@10", 0) AS "n_hits@10"
  FROM "lists"
  LEFT JOIN "hits_per_list"
    ON "lists"."algorithm" = "hits_per_list"."algorithm" AND "lists"."user" = "hits_per_list"."user"
  LEFT JOIN "relevant_counts_per_list"
    ON "lists"."user" = "relevant_counts_per_list"."user"
), "per_list" AS (
  /* per_list: one row per list */
  SELECT
    "algorithm",
    "user",
    CASE
      WHEN 1 * 1 * (
        CAST("n_hits@10" AS DOUBLE PRECISION) / 10
      ) + (
        CAST("n_hits@10" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0)
      ) = 0
      THEN CAST(0 AS DOUBLE PRECISION)
      ELSE CAST((
        1 + 1 * 1
      ) * (
        CAST("n_hits@10" AS DOUBLE PRECISION) / 10
      ) * (
        CAST("n_hits@10" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0)
      ) AS DOUBLE PRECISION) / (
        1 * 1 * (
          CAST("n_hits@10" AS DOUBLE PRECISION) / 10
        ) + (
          CAST("n_hits@10" AS DOUBLE PRECISION) / NULLIF("n_relevant", 0)
        )
      )
    END AS "f_beta@10"
  FROM "measured"
), "hit_histogram" AS (
  /* hit_histogram: the hits, counted by rank, hit number and relevant items; a list without hits has a row without a rank */
  SELECT
    "lists"."algorithm",
    "relevant_counts_per_list"."n_relevant" AS "n_relevant",
    "hits"."hit_number",
    "hits"."rank",
    COUNT(*) AS "n_alike"
  FROM "lists"
  LEFT JOIN "relevant_counts_per_list"
    ON "lists"."user" = "relevant_counts_per_list"."user"
  LEFT JOIN "hits"
    ON "lists"."algorithm" = "hits"."algorithm" AND "lists"."user" = "hits"."user"
  GROUP BY
    "lists"."algorithm",
    "relevant_counts_per_list"."n_relevant",
    "hits"."hit_number",
    "hits"."rank"
), "cutoffs" AS (
  /* cutoffs: the cutoffs, a row for each */
  SELECT
    "cutoffs"."k"
  FROM (VALUES
    (1),
    (2),
    (3),
    (4),
    (5),
    (6),
    (7),
    (8)) AS "cutoffs"("k")
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
), "ideal_per_cutoff" AS (
  /* aggregates of ideal, per number of relevant items and cutoff */
  SELECT
    "n_relevant",
    "cutoffs"."k" AS "k",
    SUM(LN(2) / LN("rank" + 1)) FILTER(WHERE
      "rank" <= "cutoffs"."k") AS "ideal_dcg@k"
  FROM "ideal"
  CROSS JOIN "cutoffs"
  GROUP BY
    "n_relevant",
    "cutoffs"."k"
), "per_hit" AS (
  /* per_hit: the amount that each row of hit_histogram adds */
  SELECT
    "hit_histogram"."algorithm" AS "algorithm",
    "cutoffs"."k" AS "k",
    "n_alike",
    CASE WHEN COALESCE("hit_number", 1) = 1 THEN "n_alike" END AS "n_first",
    CASE
      WHEN COALESCE("hit_histogram"."n_relevant", 0) > 0
      THEN COALESCE(CAST(1 AS DOUBLE PRECISION) / CASE WHEN "hit_histogram"."rank" <= 8 THEN "hit_histogram"."rank" END, 0)
    END AS "rr@8",
    CASE
      WHEN COALESCE("hit_histogram"."n_relevant", 0) > 0
      THEN CASE
        WHEN CASE WHEN "hit_histogram"."rank" <= 8 THEN "hit_histogram"."rank" END IS NOT NULL
        THEN CAST(1 AS DOUBLE PRECISION)
        ELSE CAST(0 AS DOUBLE PRECISION)
      END
    END AS "hit@8",
    CAST(COALESCE(CASE WHEN "hit_histogram"."rank" <= "cutoffs"."k" THEN LN(2) / LN("hit_histogram"."rank" + 1) END, 0) AS DOUBLE PRECISION) / NULLIF(COALESCE("ideal_per_cutoff"."ideal_dcg@k", 0), 0) AS "ndcg@k",
    CAST(COALESCE(CASE WHEN "hit_histogram"."rank" <= "cutoffs"."k" THEN 1 END, 0) AS DOUBLE PRECISION) / NULLIF(COALESCE("hit_histogram"."n_relevant", 0), 0) AS "recall@k",
    CASE
      WHEN COALESCE("hit_histogram"."n_relevant", 0) > 0
      THEN CAST(COALESCE(
        CASE
          WHEN "hit_histogram"."rank" <= "cutoffs"."k"
          THEN CAST("hit_histogram"."hit_number" AS DOUBLE PRECISION) / "hit_histogram"."rank"
        END,
        0
      ) AS DOUBLE PRECISION) / NULLIF(LEAST("cutoffs"."k", COALESCE("hit_histogram"."n_relevant", 0)), 0)
    END AS "ap@k"
  FROM "hit_histogram"
  CROSS JOIN "cutoffs"
  LEFT JOIN "ideal_per_cutoff"
    ON LEAST(8, COALESCE("hit_histogram"."n_relevant", 0)) = "ideal_per_cutoff"."n_relevant"
    AND "cutoffs"."k" = "ideal_per_cutoff"."k"
), "of_cutoffs" AS (
  /* of_cutoffs: the means and other aggregates over lists, per system and cutoff */
  SELECT
    "algorithm",
    "k",
    CAST(COALESCE(SUM("n_first"), 0) AS BIGINT) AS "n_lists",
    CAST(SUM(CAST("rr@8" AS DOUBLE PRECISION) * "n_first") AS DOUBLE PRECISION) / SUM(CASE WHEN "rr@8" IS NOT NULL THEN "n_first" END) AS "rr@8",
    CAST(SUM(CAST("hit@8" AS DOUBLE PRECISION) * "n_first") AS DOUBLE PRECISION) / SUM(CASE WHEN "hit@8" IS NOT NULL THEN "n_first" END) AS "hit@8",
    CAST(SUM(CAST("ndcg@k" AS DOUBLE PRECISION) * "n_alike") AS DOUBLE PRECISION) / SUM(CASE WHEN "ndcg@k" IS NOT NULL THEN "n_first" END) AS "ndcg@k",
    CAST(SUM(CAST("recall@k" AS DOUBLE PRECISION) * "n_alike") AS DOUBLE PRECISION) / SUM(CASE WHEN "recall@k" IS NOT NULL THEN "n_first" END) AS "recall@k",
    CAST(SUM(CAST("ap@k" AS DOUBLE PRECISION) * "n_alike") AS DOUBLE PRECISION) / SUM(CASE WHEN "ap@k" IS NOT NULL THEN "n_first" END) AS "ap@k"
  FROM "per_hit"
  GROUP BY
    "algorithm",
    "k"
), "of_lists" AS (
  /* of_lists: the means and other aggregates over lists, per system */
  SELECT
    "algorithm",
    AVG(CAST("f_beta@10" AS DOUBLE PRECISION)) AS "f_beta@10"
  FROM "per_list"
  GROUP BY
    "algorithm"
), "of_hits" AS (
  /* of_hits: the means and other aggregates over lists, per system */
  SELECT
    "algorithm",
    MAX("n_lists") AS "n_lists",
    MAX(CASE WHEN "k" = 1 THEN "ndcg@k" END) AS "ndcg@1",
    MAX(CASE WHEN "k" = 2 THEN "ndcg@k" END) AS "ndcg@2",
    MAX(CASE WHEN "k" = 3 THEN "ndcg@k" END) AS "ndcg@3",
    MAX(CASE WHEN "k" = 4 THEN "ndcg@k" END) AS "ndcg@4",
    MAX(CASE WHEN "k" = 5 THEN "ndcg@k" END) AS "ndcg@5",
    MAX(CASE WHEN "k" = 6 THEN "ndcg@k" END) AS "ndcg@6",
    MAX(CASE WHEN "k" = 7 THEN "ndcg@k" END) AS "ndcg@7",
    MAX(CASE WHEN "k" = 8 THEN "ndcg@k" END) AS "ndcg@8",
    MAX(CASE WHEN "k" = 1 THEN "recall@k" END) AS "recall@1",
    MAX(CASE WHEN "k" = 2 THEN "recall@k" END) AS "recall@2",
    MAX(CASE WHEN "k" = 3 THEN "recall@k" END) AS "recall@3",
    MAX(CASE WHEN "k" = 4 THEN "recall@k" END) AS "recall@4",
    MAX(CASE WHEN "k" = 5 THEN "recall@k" END) AS "recall@5",
    MAX(CASE WHEN "k" = 6 THEN "recall@k" END) AS "recall@6",
    MAX(CASE WHEN "k" = 7 THEN "recall@k" END) AS "recall@7",
    MAX(CASE WHEN "k" = 8 THEN "recall@k" END) AS "recall@8",
    MAX(CASE WHEN "k" = 1 THEN "ap@k" END) AS "ap@1",
    MAX(CASE WHEN "k" = 2 THEN "ap@k" END) AS "ap@2",
    MAX(CASE WHEN "k" = 3 THEN "ap@k" END) AS "ap@3",
    MAX(CASE WHEN "k" = 4 THEN "ap@k" END) AS "ap@4",
    MAX(CASE WHEN "k" = 5 THEN "ap@k" END) AS "ap@5",
    MAX(CASE WHEN "k" = 6 THEN "ap@k" END) AS "ap@6",
    MAX(CASE WHEN "k" = 7 THEN "ap@k" END) AS "ap@7",
    MAX(CASE WHEN "k" = 8 THEN "ap@k" END) AS "ap@8",
    MAX("rr@8") AS "rr@8",
    MAX("hit@8") AS "hit@8"
  FROM "of_cutoffs"
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
  "of_lists"."algorithm"
