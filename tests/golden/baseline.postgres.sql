-- What differs from another system's lists.
-- unexpectedness@10, serendipity@10, rbo@10
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
), "recommended_per_list" AS (
  /* recommended_per_list: sums over the rows of recommended, for each list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "n_recommended@10"
  FROM "recommended"
  GROUP BY
    "algorithm",
    "user"
), "baseline_ranked" AS (
  /* baseline_ranked: every recommendation of the baseline with its rank. */
  SELECT
    "user",
    "item",
    CAST("rank" AS BIGINT) AS "rank"
  FROM "db"."baseline"
  WHERE
    "user" IS NOT NULL AND "item" IS NOT NULL
), "baseline_places" AS (
  /* baseline_places: the items of the baseline down to the deepest cutoff, each once, at its best rank. */
  SELECT
    "user",
    "item",
    MIN("rank") AS "rank"
  FROM "baseline_ranked"
  WHERE
    "rank" <= 10
  GROUP BY
    "user",
    "item"
), "baseline_places_per_list" AS (
  /* baseline_places_per_list: sums over the rows of baseline_places, for each list */
  SELECT
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "n_baseline@10"
  FROM "baseline_places"
  GROUP BY
    "user"
), "expected" AS (
  /* expected: the places of a list whose item the baseline has, too, each at the rank by which both have it. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    GREATEST("recommended"."rank", "baseline_places"."rank") AS "rank"
  FROM "recommended"
  JOIN "baseline_places"
    ON "recommended"."user" = "baseline_places"."user" AND "recommended"."item" = "baseline_places"."item"
), "expected_per_list" AS (
  /* expected_per_list: sums over the rows of expected, for each list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "n_expected@10"
  FROM "expected"
  GROUP BY
    "algorithm",
    "user"
), "judgments" AS (
  /* judgments: the truth, row by row; a row without a rating counts as rated 1, a row with a NULL id is left out. */
  SELECT
    "user",
    "item",
    CAST(1 AS DOUBLE PRECISION) AS "rating"
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
), "matched" AS (
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
    "item",
    MIN("rank") AS "rank"
  FROM "matched"
  GROUP BY
    "algorithm",
    "user",
    "item"
), "hits_per_list" AS (
  /* hits_per_list: sums over the rows of found, for each list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "n_hits@10"
  FROM "found"
  GROUP BY
    "algorithm",
    "user"
), "expected_hits" AS (
  /* expected_hits: the hits that the baseline has, too, each at the rank by which both have it. */
  SELECT
    "found"."algorithm" AS "algorithm",
    "found"."user" AS "user",
    GREATEST("found"."rank", "baseline_places"."rank") AS "rank"
  FROM "found"
  JOIN "baseline_places"
    ON "found"."user" = "baseline_places"."user" AND "found"."item" = "baseline_places"."item"
), "expected_hits_per_list" AS (
  /* expected_hits_per_list: sums over the rows of expected_hits, for each list */
  SELECT
    "algorithm",
    "user",
    COUNT(*) FILTER(WHERE
      "rank" <= 10) AS "n_expected_hits@10"
  FROM "expected_hits"
  GROUP BY
    "algorithm",
    "user"
), "overlap" AS (
  /* overlap: the items that a list and the baseline have in common, each at the rank by which both have it. */
  SELECT
    "recommended"."algorithm" AS "algorithm",
    "recommended"."user" AS "user",
    GREATEST(MIN("recommended"."rank"), MIN("baseline_places"."rank")) AS "rank"
  FROM "recommended"
  JOIN "baseline_places"
    ON "recommended"."user" = "baseline_places"."user" AND "recommended"."item" = "baseline_places"."item"
  GROUP BY
    "recommended"."algorithm",
    "recommended"."user",
    "recommended"."item"
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
), "overlap_by_place" AS (
  /* overlap_by_place: for each item in common, every place from where both have it down to the deepest cutoff. */
  SELECT
    "overlap"."algorithm" AS "algorithm",
    "overlap"."user" AS "user",
    "places"."rank"
  FROM "overlap"
  JOIN "places"
    ON "overlap"."rank" <= "places"."rank"
), "overlap_by_place_per_list" AS (
  /* overlap_by_place_per_list: sums over the rows of overlap_by_place, for each list */
  SELECT
    "algorithm",
    "user",
    SUM(CAST(POWER(CAST(0.85 AS DOUBLE PRECISION), LEAST("rank" - 1, 4356)) AS DOUBLE PRECISION) / "rank") FILTER(WHERE
      "rank" <= 10) AS "agreements@10"
  FROM "overlap_by_place"
  GROUP BY
    "algorithm",
    "user"
), "truth_lists" AS (
  /* truth_lists: the lists that have a truth. */
  SELECT DISTINCT
    "user"
  FROM "judgments"
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
  FROM "truth_lists"
  CROSS JOIN "systems"
), "measured" AS (
  /* measured: one row per list, with what the metrics are computed from */
  SELECT
    "lists"."algorithm",
    "lists"."user",
    COALESCE("recommended_per_list"."n_recommended@10", 0) AS "n_recommended@10",
    COALESCE("baseline_places_per_list"."n_baseline@10", 0) AS "n_baseline@10",
    COALESCE("expected_per_list"."n_expected@10", 0) AS "n_expected@10",
    COALESCE("hits_per_list"."n_hits@10", 0) AS "n_hits@10",
    COALESCE("expected_hits_per_list"."n_expected_hits@10", 0) AS "n_expected_hits@10",
    COALESCE("overlap_by_place_per_list"."agreements@10", 0) AS "agreements@10"
  FROM "lists"
  LEFT JOIN "recommended_per_list"
    ON "lists"."algorithm" = "recommended_per_list"."algorithm"
    AND "lists"."user" = "recommended_per_list"."user"
  LEFT JOIN "baseline_places_per_list"
    ON "lists"."user" = "baseline_places_per_list"."user"
  LEFT JOIN "expected_per_list"
    ON "lists"."algorithm" = "expected_per_list"."algorithm" AND "lists"."user" = "expected_per_list"."user"
  LEFT JOIN "hits_per_list"
    ON "lists"."algorithm" = "hits_per_list"."algorithm" AND "lists"."user" = "hits_per_list"."user"
  LEFT JOIN "expected_hits_per_list"
    ON "lists"."algorithm" = "expected_hits_per_list"."algorithm"
    AND "lists"."user" = "expected_hits_per_list"."user"
  LEFT JOIN "overlap_by_place_per_list"
    ON "lists"."algorithm" = "overlap_by_place_per_list"."algorithm"
    AND "lists"."user" = "overlap_by_place_per_list"."user"
), "per_list" AS (
  /* per_list: one row per list, with the metrics */
  SELECT
    "algorithm",
    "user",
    CASE
      WHEN "n_recommended@10" > 0 AND "n_baseline@10" > 0
      THEN 1 - "n_expected@10" / CAST("n_recommended@10" AS DOUBLE PRECISION)
      ELSE NULL
    END AS "unexpectedness@10",
    CASE
      WHEN "n_baseline@10" > 0
      THEN (
        "n_hits@10" - "n_expected_hits@10"
      ) / CAST(NULLIF("n_recommended@10", 0) AS DOUBLE PRECISION)
    END AS "serendipity@10",
    CASE
      WHEN "n_recommended@10" > 0 AND "n_baseline@10" > 0
      THEN "agreements@10" * (
        1 - CAST(0.85 AS DOUBLE PRECISION)
      ) / (
        1 - POWER(CAST(0.85 AS DOUBLE PRECISION), LEAST(10, 4356))
      )
    END AS "rbo@10"
  FROM "measured"
)
SELECT
  "algorithm",
  COUNT(*) AS "n_lists",
  AVG(CAST("unexpectedness@10" AS DOUBLE PRECISION)) AS "unexpectedness@10",
  AVG(CAST("serendipity@10" AS DOUBLE PRECISION)) AS "serendipity@10",
  AVG(CAST("rbo@10" AS DOUBLE PRECISION)) AS "rbo@10"
FROM "per_list"
GROUP BY
  "algorithm"
ORDER BY
  "algorithm"
