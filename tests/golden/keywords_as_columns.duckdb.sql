-- List columns called as parts of the query are, lists of the recommendations only.
-- hit@5, auc
WITH "listed" AS (
  /* listed: the lists of the recommendations. */
  SELECT DISTINCT
    "rank" AS "list_rank",
    "hits",
    "order"
  FROM "db"."recs"
  WHERE
    "rank" IS NOT NULL AND "hits" IS NOT NULL AND "order" IS NOT NULL
), "asked" AS (
  /* asked: the lists of the recommendations, as the truth would know them. */
  SELECT DISTINCT
    "hits"
  FROM "listed"
), "judgments" AS (
  /* judgments: the truth of the lists that were recommended something, row by row. */
  SELECT
    "truth"."hits" AS "hits",
    "truth"."item_id" AS "item",
    CAST(1 AS DOUBLE) AS "rating"
  FROM "db"."truth"
  JOIN "asked"
    ON "truth"."hits" = "asked"."hits"
  WHERE
    "truth"."item_id" IS NOT NULL
), "sizes" AS (
  /* sizes: every list of the truth, with how much it holds. */
  SELECT
    "hits",
    COUNT(DISTINCT "item") FILTER(WHERE
      "rating" > 0) AS "n_relevant"
  FROM "judgments"
  GROUP BY
    "hits"
), "sizes_per_list" AS (
  /* sizes_per_list: sums over the rows of sizes, for each list */
  SELECT
    "hits",
    "n_relevant"
  FROM "sizes"
), "ranked" AS (
  /* ranked: every recommendation with its rank. */
  SELECT
    "list_rank",
    "hits",
    "order",
    "item",
    "row_number" - MAX(
      CASE
        WHEN "list_rank" IS DISTINCT FROM "list_rank_1_before"
        OR "hits" IS DISTINCT FROM "hits_1_before"
        OR "order" IS DISTINCT FROM "order_1_before"
        THEN "row_number"
      END
    ) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) + 1 AS "rank"
  FROM (
    SELECT
      "list_rank",
      "hits",
      "order",
      "item",
      ROW_NUMBER() OVER () AS "row_number",
      LAG("list_rank") OVER () AS "list_rank_1_before",
      LAG("hits") OVER () AS "hits_1_before",
      LAG("order") OVER () AS "order_1_before"
    FROM (
      /* sorted: list after list, each from its first place down */
      SELECT
        "rank" AS "list_rank",
        "hits",
        "order",
        "item_id" AS "item"
      FROM "db"."recs"
      WHERE
        "rank" IS NOT NULL AND "hits" IS NOT NULL AND "order" IS NOT NULL AND "item_id" IS NOT NULL
      ORDER BY
        "recs"."rank",
        "recs"."hits",
        "recs"."order",
        NULLIF("recs"."score", CAST('NaN' AS DOUBLE)) DESC NULLS LAST,
        "recs"."item_id"
    ) AS "sorted"
  ) AS "numbered"
), "relevant" AS (
  /* relevant: the rows of the truth that a list should have found. */
  SELECT
    "hits",
    "item"
  FROM "judgments"
  WHERE
    "rating" > 0
), "matched" AS MATERIALIZED (
  /* matched: the recommendations of relevant items. */
  SELECT
    "ranked"."list_rank" AS "list_rank",
    "ranked"."hits" AS "hits",
    "ranked"."order" AS "order",
    "ranked"."item",
    "ranked"."rank"
  FROM "ranked"
  JOIN "relevant"
    ON "ranked"."hits" = "relevant"."hits" AND "ranked"."item" = "relevant"."item"
), "found" AS (
  /* found: the relevant items that were recommended, each once, at its best rank and with its highest rating. */
  SELECT
    "list_rank",
    "hits",
    "order",
    MIN("rank") AS "rank"
  FROM "matched"
  GROUP BY
    "list_rank",
    "hits",
    "order",
    "item"
), "hits" AS (
  /* hits: what was found, numbered down the list. */
  SELECT
    "list_rank",
    "hits",
    "order",
    "rank",
    ROW_NUMBER() OVER (PARTITION BY "list_rank", "hits", "order" ORDER BY "rank") AS "hit_number"
  FROM "found"
), "hits_per_list" AS (
  /* hits_per_list: sums over the rows of hits, for each list */
  SELECT
    "list_rank",
    "hits",
    "order",
    MIN(CASE WHEN "rank" <= 5 THEN "rank" END) AS "first_hit@5",
    SUM("rank" - "hit_number") AS "misses_before_hits",
    COUNT(*) AS "n_hits"
  FROM "hits"
  GROUP BY
    "list_rank",
    "hits",
    "order"
), "recommended_per_list" AS (
  /* recommended_per_list: sums over the rows of ranked, for each list */
  SELECT
    "list_rank",
    "hits",
    "order",
    MAX("rank") AS "depth"
  FROM "ranked"
  GROUP BY
    "list_rank",
    "hits",
    "order"
), "lists" AS (
  /* lists: whom the mean is taken over: the lists that were recommended something and have a truth. */
  SELECT
    "listed"."list_rank" AS "list_rank",
    "listed"."hits" AS "hits",
    "listed"."order" AS "order"
  FROM "listed"
  JOIN "sizes"
    ON "listed"."hits" = "sizes"."hits"
), "measured" AS (
  /* measured: one row per list, with what the metrics are computed from */
  SELECT
    "lists"."list_rank",
    "lists"."hits",
    "lists"."order",
    COALESCE("sizes_per_list"."n_relevant", 0) AS "n_relevant",
    "hits_per_list"."first_hit@5" AS "first_hit@5",
    COALESCE("hits_per_list"."misses_before_hits", 0) AS "misses_before_hits",
    COALESCE("hits_per_list"."n_hits", 0) AS "n_hits",
    "recommended_per_list"."depth" AS "depth"
  FROM "lists"
  LEFT JOIN "sizes_per_list"
    ON "lists"."hits" = "sizes_per_list"."hits"
  LEFT JOIN "hits_per_list"
    ON "lists"."list_rank" = "hits_per_list"."list_rank"
    AND "lists"."hits" = "hits_per_list"."hits"
    AND "lists"."order" = "hits_per_list"."order"
  LEFT JOIN "recommended_per_list"
    ON "lists"."list_rank" = "recommended_per_list"."list_rank"
    AND "lists"."hits" = "recommended_per_list"."hits"
    AND "lists"."order" = "recommended_per_list"."order"
), "per_list" AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    "list_rank",
    "hits",
    "order",
    CASE
      WHEN "n_relevant" > 0
      THEN CASE WHEN "first_hit@5" IS NOT NULL THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
    END AS "hit@5",
    COALESCE(1 - "misses_before_hits" / NULLIF("n_hits" * (
      "depth" - "n_hits"
    ), 0), NULL) AS "auc"
  FROM "measured"
)
SELECT
  "list_rank" AS "rank",
  "order",
  COUNT(*) AS "n_lists",
  AVG(CAST("hit@5" AS DOUBLE)) AS "hit@5",
  AVG(CAST("auc" AS DOUBLE)) AS "auc"
FROM "per_list"
GROUP BY
  "list_rank",
  "order"
ORDER BY
  "list_rank",
  "order"
