-- Many cutoffs: the query has the same steps, however many there are.
-- ndcg@1..8, recall@1..8, ap@1..8, rr@8, hit@8, f_beta@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each algorithm, user.
-- ndcg@1, ndcg@2, ndcg@3, ndcg@4, ndcg@5, ndcg@6, ndcg@7, ndcg@8: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
-- recall@1, recall@2, recall@3, recall@4, recall@5, recall@6, recall@7, recall@8: share of the relevant items that are among the first k.
-- ap@1, ap@2, ap@3, ap@4, ap@5, ap@6, ap@7, ap@8: average precision: mean, over the relevant items, of the precision at the rank of each. Its mean over lists is MAP.
-- rr@8: reciprocal rank: 1 / rank of the first hit, 0 if there is no hit among the first k. Its mean over lists is MRR.
-- hit@8: 1 if a relevant item is among the first k recommendations, else 0. Its mean over lists is the hit rate.
-- f_beta@10: weighted harmonic mean of two metrics, by default precision P and recall R: (1 + beta^2) P R / (beta^2 P + R), 0 if both are 0.
WITH "ranked" AS NOT MATERIALIZED (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT "algorithm", "user", "item", CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."recs"
  WHERE "algorithm" IS NOT NULL AND "user" IS NOT NULL AND "item" IS NOT NULL AND "rank" <= 10
), "recommended" AS (
  /* recommended: one row per recommendation down to the largest cutoff. */
  SELECT "algorithm", "user", "item", "rank"
  FROM "ranked"
  WHERE "rank" <= 10
), "judgments" AS NOT MATERIALIZED (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT "user", "item", CAST(1 AS DOUBLE) AS "rating"
  FROM "db"."truth"
  WHERE "user" IS NOT NULL AND "item" IS NOT NULL
), "relevant" AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT "user", "item"
  FROM "judgments"
  WHERE "rating" > 0
), "matches" AS MATERIALIZED (
  /* matches: one row per recommendation of a relevant item. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    "recommended"."item",
    "recommended"."rank"
  FROM "recommended"
  JOIN "relevant" ON "recommended"."user" = "relevant"."user" AND "recommended"."item" = "relevant"."item"
), "unnumbered_hits" AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT "algorithm", "user", MIN("rank") AS "rank"
  FROM "matches"
  GROUP BY "algorithm", "user", "item"
), "hits" AS (
  /* hits: one row per hit, numbered from the top of the list. */
  SELECT
    "algorithm",
    "user",
    "rank",
    ROW_NUMBER() OVER (PARTITION BY "algorithm", "user" ORDER BY "rank") AS "hit_number"
  FROM "unnumbered_hits"
), "hits_per_list" AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    "algorithm",
    "user",
    SUM(CASE WHEN "rank" <= 1 THEN LN(2) / LN("rank" + 1) END) AS "dcg_by_rank@1",
    SUM(CASE WHEN "rank" <= 2 THEN LN(2) / LN("rank" + 1) END) AS "dcg_by_rank@2",
    SUM(CASE WHEN "rank" <= 3 THEN LN(2) / LN("rank" + 1) END) AS "dcg_by_rank@3",
    SUM(CASE WHEN "rank" <= 4 THEN LN(2) / LN("rank" + 1) END) AS "dcg_by_rank@4",
    SUM(CASE WHEN "rank" <= 5 THEN LN(2) / LN("rank" + 1) END) AS "dcg_by_rank@5",
    SUM(CASE WHEN "rank" <= 6 THEN LN(2) / LN("rank" + 1) END) AS "dcg_by_rank@6",
    SUM(CASE WHEN "rank" <= 7 THEN LN(2) / LN("rank" + 1) END) AS "dcg_by_rank@7",
    SUM(CASE WHEN "rank" <= 8 THEN LN(2) / LN("rank" + 1) END) AS "dcg_by_rank@8",
    COUNT(CASE WHEN "rank" <= 1 THEN 1 END) AS "n_hits@1",
    COUNT(CASE WHEN "rank" <= 2 THEN 1 END) AS "n_hits@2",
    COUNT(CASE WHEN "rank" <= 3 THEN 1 END) AS "n_hits@3",
    COUNT(CASE WHEN "rank" <= 4 THEN 1 END) AS "n_hits@4",
    COUNT(CASE WHEN "rank" <= 5 THEN 1 END) AS "n_hits@5",
    COUNT(CASE WHEN "rank" <= 6 THEN 1 END) AS "n_hits@6",
    COUNT(CASE WHEN "rank" <= 7 THEN 1 END) AS "n_hits@7",
    COUNT(CASE WHEN "rank" <= 8 THEN 1 END) AS "n_hits@8",
    SUM(CASE WHEN "rank" <= 1 THEN CAST("hit_number" AS DOUBLE) / "rank" END) AS "precisions_at_hits@1",
    SUM(CASE WHEN "rank" <= 2 THEN CAST("hit_number" AS DOUBLE) / "rank" END) AS "precisions_at_hits@2",
    SUM(CASE WHEN "rank" <= 3 THEN CAST("hit_number" AS DOUBLE) / "rank" END) AS "precisions_at_hits@3",
    SUM(CASE WHEN "rank" <= 4 THEN CAST("hit_number" AS DOUBLE) / "rank" END) AS "precisions_at_hits@4",
    SUM(CASE WHEN "rank" <= 5 THEN CAST("hit_number" AS DOUBLE) / "rank" END) AS "precisions_at_hits@5",
    SUM(CASE WHEN "rank" <= 6 THEN CAST("hit_number" AS DOUBLE) / "rank" END) AS "precisions_at_hits@6",
    SUM(CASE WHEN "rank" <= 7 THEN CAST("hit_number" AS DOUBLE) / "rank" END) AS "precisions_at_hits@7",
    SUM(CASE WHEN "rank" <= 8 THEN CAST("hit_number" AS DOUBLE) / "rank" END) AS "precisions_at_hits@8",
    MIN(CASE WHEN "rank" <= 8 THEN "rank" END) AS "first_hit@8",
    COUNT(CASE WHEN "rank" <= 10 THEN 1 END) AS "n_hits@10"
  FROM "hits"
  GROUP BY "algorithm", "user"
), "positions" AS NOT MATERIALIZED (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT "rank"
  FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8)) AS "positions"("rank")
), "ideal" AS (
  /* ideal: one row per number of relevant items and rank of an ideal list with this number of items. */
  SELECT "counts"."rank" AS "n_relevant", "positions"."rank" AS "rank"
  FROM "positions" AS "counts"
  JOIN "positions" ON "positions"."rank" <= "counts"."rank"
), "ideal_per_list" AS (
  /* ideal_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT
    "n_relevant",
    SUM(CASE WHEN "rank" <= 1 THEN LN(2) / LN("rank" + 1) END) AS "ideal_dcg@1",
    SUM(CASE WHEN "rank" <= 2 THEN LN(2) / LN("rank" + 1) END) AS "ideal_dcg@2",
    SUM(CASE WHEN "rank" <= 3 THEN LN(2) / LN("rank" + 1) END) AS "ideal_dcg@3",
    SUM(CASE WHEN "rank" <= 4 THEN LN(2) / LN("rank" + 1) END) AS "ideal_dcg@4",
    SUM(CASE WHEN "rank" <= 5 THEN LN(2) / LN("rank" + 1) END) AS "ideal_dcg@5",
    SUM(CASE WHEN "rank" <= 6 THEN LN(2) / LN("rank" + 1) END) AS "ideal_dcg@6",
    SUM(CASE WHEN "rank" <= 7 THEN LN(2) / LN("rank" + 1) END) AS "ideal_dcg@7",
    SUM(CASE WHEN "rank" <= 8 THEN LN(2) / LN("rank" + 1) END) AS "ideal_dcg@8"
  FROM "ideal"
  GROUP BY "n_relevant"
), "relevant_counts" AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT "user", COUNT(DISTINCT "item") FILTER(WHERE "rating" > 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY "user"
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
    COALESCE("hits_per_list"."dcg_by_rank@1", 0) AS "dcg_by_rank@1",
    COALESCE("ideal_per_list"."ideal_dcg@1", 0) AS "ideal_dcg@1",
    COALESCE("hits_per_list"."dcg_by_rank@2", 0) AS "dcg_by_rank@2",
    COALESCE("ideal_per_list"."ideal_dcg@2", 0) AS "ideal_dcg@2",
    COALESCE("hits_per_list"."dcg_by_rank@3", 0) AS "dcg_by_rank@3",
    COALESCE("ideal_per_list"."ideal_dcg@3", 0) AS "ideal_dcg@3",
    COALESCE("hits_per_list"."dcg_by_rank@4", 0) AS "dcg_by_rank@4",
    COALESCE("ideal_per_list"."ideal_dcg@4", 0) AS "ideal_dcg@4",
    COALESCE("hits_per_list"."dcg_by_rank@5", 0) AS "dcg_by_rank@5",
    COALESCE("ideal_per_list"."ideal_dcg@5", 0) AS "ideal_dcg@5",
    COALESCE("hits_per_list"."dcg_by_rank@6", 0) AS "dcg_by_rank@6",
    COALESCE("ideal_per_list"."ideal_dcg@6", 0) AS "ideal_dcg@6",
    COALESCE("hits_per_list"."dcg_by_rank@7", 0) AS "dcg_by_rank@7",
    COALESCE("ideal_per_list"."ideal_dcg@7", 0) AS "ideal_dcg@7",
    COALESCE("hits_per_list"."dcg_by_rank@8", 0) AS "dcg_by_rank@8",
    COALESCE("ideal_per_list"."ideal_dcg@8", 0) AS "ideal_dcg@8",
    COALESCE("hits_per_list"."n_hits@1", 0) AS "n_hits@1",
    COALESCE("lists"."n_relevant", 0) AS "n_relevant",
    COALESCE("hits_per_list"."n_hits@2", 0) AS "n_hits@2",
    COALESCE("hits_per_list"."n_hits@3", 0) AS "n_hits@3",
    COALESCE("hits_per_list"."n_hits@4", 0) AS "n_hits@4",
    COALESCE("hits_per_list"."n_hits@5", 0) AS "n_hits@5",
    COALESCE("hits_per_list"."n_hits@6", 0) AS "n_hits@6",
    COALESCE("hits_per_list"."n_hits@7", 0) AS "n_hits@7",
    COALESCE("hits_per_list"."n_hits@8", 0) AS "n_hits@8",
    COALESCE("hits_per_list"."precisions_at_hits@1", 0) AS "precisions_at_hits@1",
    COALESCE("hits_per_list"."precisions_at_hits@2", 0) AS "precisions_at_hits@2",
    COALESCE("hits_per_list"."precisions_at_hits@3", 0) AS "precisions_at_hits@3",
    COALESCE("hits_per_list"."precisions_at_hits@4", 0) AS "precisions_at_hits@4",
    COALESCE("hits_per_list"."precisions_at_hits@5", 0) AS "precisions_at_hits@5",
    COALESCE("hits_per_list"."precisions_at_hits@6", 0) AS "precisions_at_hits@6",
    COALESCE("hits_per_list"."precisions_at_hits@7", 0) AS "precisions_at_hits@7",
    COALESCE("hits_per_list"."precisions_at_hits@8", 0) AS "precisions_at_hits@8",
    "hits_per_list"."first_hit@8" AS "first_hit@8",
    COALESCE("hits_per_list"."n_hits@10", 0) AS "n_hits@10"
  FROM "lists"
  LEFT JOIN "hits_per_list"
    ON "lists"."algorithm" = "hits_per_list"."algorithm" AND "lists"."user" = "hits_per_list"."user"
  LEFT JOIN "ideal_per_list" ON LEAST(8, COALESCE("lists"."n_relevant", 0)) = "ideal_per_list"."n_relevant"
), "per_list" AS (
  /* per_list: one row per scored list, with its metrics */
  SELECT
    "algorithm",
    "user",
    "dcg_by_rank@1" / NULLIF("ideal_dcg@1", 0) AS "ndcg@1",
    "dcg_by_rank@2" / NULLIF("ideal_dcg@2", 0) AS "ndcg@2",
    "dcg_by_rank@3" / NULLIF("ideal_dcg@3", 0) AS "ndcg@3",
    "dcg_by_rank@4" / NULLIF("ideal_dcg@4", 0) AS "ndcg@4",
    "dcg_by_rank@5" / NULLIF("ideal_dcg@5", 0) AS "ndcg@5",
    "dcg_by_rank@6" / NULLIF("ideal_dcg@6", 0) AS "ndcg@6",
    "dcg_by_rank@7" / NULLIF("ideal_dcg@7", 0) AS "ndcg@7",
    "dcg_by_rank@8" / NULLIF("ideal_dcg@8", 0) AS "ndcg@8",
    "n_hits@1" / NULLIF("n_relevant", 0) AS "recall@1",
    "n_hits@2" / NULLIF("n_relevant", 0) AS "recall@2",
    "n_hits@3" / NULLIF("n_relevant", 0) AS "recall@3",
    "n_hits@4" / NULLIF("n_relevant", 0) AS "recall@4",
    "n_hits@5" / NULLIF("n_relevant", 0) AS "recall@5",
    "n_hits@6" / NULLIF("n_relevant", 0) AS "recall@6",
    "n_hits@7" / NULLIF("n_relevant", 0) AS "recall@7",
    "n_hits@8" / NULLIF("n_relevant", 0) AS "recall@8",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@1" / NULLIF(LEAST(1, "n_relevant"), 0) END AS "ap@1",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@2" / NULLIF(LEAST(2, "n_relevant"), 0) END AS "ap@2",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@3" / NULLIF(LEAST(3, "n_relevant"), 0) END AS "ap@3",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@4" / NULLIF(LEAST(4, "n_relevant"), 0) END AS "ap@4",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@5" / NULLIF(LEAST(5, "n_relevant"), 0) END AS "ap@5",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@6" / NULLIF(LEAST(6, "n_relevant"), 0) END AS "ap@6",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@7" / NULLIF(LEAST(7, "n_relevant"), 0) END AS "ap@7",
    CASE WHEN "n_relevant" > 0 THEN "precisions_at_hits@8" / NULLIF(LEAST(8, "n_relevant"), 0) END AS "ap@8",
    CASE WHEN "n_relevant" > 0 THEN COALESCE(CAST(1 AS DOUBLE) / "first_hit@8", 0) END AS "rr@8",
    CASE
      WHEN "n_relevant" > 0
      THEN CASE WHEN "first_hit@8" IS NOT NULL THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
    END AS "hit@8",
    CASE
      WHEN (
        "n_hits@10" / 10
      ) + (
        "n_hits@10" / NULLIF("n_relevant", 0)
      ) = 0
      THEN CAST(0 AS DOUBLE)
      ELSE (
        2
      ) * (
        "n_hits@10" / 10
      ) * (
        "n_hits@10" / NULLIF("n_relevant", 0)
      ) / (
        (
          "n_hits@10" / 10
        ) + (
          "n_hits@10" / NULLIF("n_relevant", 0)
        )
      )
    END AS "f_beta@10"
  FROM "measured"
)
SELECT
  "algorithm",
  COUNT(*) AS "n_lists",
  AVG(CAST("ndcg@1" AS DOUBLE)) AS "ndcg@1",
  AVG(CAST("ndcg@2" AS DOUBLE)) AS "ndcg@2",
  AVG(CAST("ndcg@3" AS DOUBLE)) AS "ndcg@3",
  AVG(CAST("ndcg@4" AS DOUBLE)) AS "ndcg@4",
  AVG(CAST("ndcg@5" AS DOUBLE)) AS "ndcg@5",
  AVG(CAST("ndcg@6" AS DOUBLE)) AS "ndcg@6",
  AVG(CAST("ndcg@7" AS DOUBLE)) AS "ndcg@7",
  AVG(CAST("ndcg@8" AS DOUBLE)) AS "ndcg@8",
  AVG(CAST("recall@1" AS DOUBLE)) AS "recall@1",
  AVG(CAST("recall@2" AS DOUBLE)) AS "recall@2",
  AVG(CAST("recall@3" AS DOUBLE)) AS "recall@3",
  AVG(CAST("recall@4" AS DOUBLE)) AS "recall@4",
  AVG(CAST("recall@5" AS DOUBLE)) AS "recall@5",
  AVG(CAST("recall@6" AS DOUBLE)) AS "recall@6",
  AVG(CAST("recall@7" AS DOUBLE)) AS "recall@7",
  AVG(CAST("recall@8" AS DOUBLE)) AS "recall@8",
  AVG(CAST("ap@1" AS DOUBLE)) AS "ap@1",
  AVG(CAST("ap@2" AS DOUBLE)) AS "ap@2",
  AVG(CAST("ap@3" AS DOUBLE)) AS "ap@3",
  AVG(CAST("ap@4" AS DOUBLE)) AS "ap@4",
  AVG(CAST("ap@5" AS DOUBLE)) AS "ap@5",
  AVG(CAST("ap@6" AS DOUBLE)) AS "ap@6",
  AVG(CAST("ap@7" AS DOUBLE)) AS "ap@7",
  AVG(CAST("ap@8" AS DOUBLE)) AS "ap@8",
  AVG(CAST("rr@8" AS DOUBLE)) AS "rr@8",
  AVG(CAST("hit@8" AS DOUBLE)) AS "hit@8",
  AVG(CAST("f_beta@10" AS DOUBLE)) AS "f_beta@10"
FROM "per_list"
GROUP BY "algorithm"
ORDER BY "algorithm"
