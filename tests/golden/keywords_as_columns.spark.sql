-- List columns called as parts of the query are, lists of the recommendations only.
-- hit@5, auc
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each rank, hits, order.
-- hit@5: 1 if a relevant item is among the first k recommendations, else 0. Its mean over lists is the hit rate.
-- auc: area under the ROC curve within the list: share of the pairs of a hit and a miss in which the hit ranks higher.
WITH `recommended_lists` AS (
  /* recommended_lists: one row per list of the recommendations. */
  SELECT DISTINCT `rank` AS `list_rank`, `hits`, `order`
  FROM `db`.`recs`
  WHERE `rank` IS NOT NULL AND `hits` IS NOT NULL AND `order` IS NOT NULL
), `recommended_truth_lists` AS (
  /* recommended_truth_lists: one row per combination of the truth's list columns that has recommendations. */
  SELECT DISTINCT `hits`
  FROM `recommended_lists`
), `judgments` AS (
  /* judgments: the rows of the truth, only for lists that have recommendations. A missing rating counts as 1. */
  SELECT `truth`.`hits` AS `hits`, `truth`.`item_id` AS `item`, CAST(1 AS DOUBLE) AS `rating`
  FROM `db`.`truth`
  JOIN `recommended_truth_lists` ON `truth`.`hits` = `recommended_truth_lists`.`hits`
  WHERE `truth`.`item_id` IS NOT NULL
), `relevant_counts` AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT `hits`, COUNT(DISTINCT `item`) AS `n_relevant`
  FROM `judgments`
  GROUP BY `hits`
), `ranked` AS (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT
    `rank` AS `list_rank`,
    `hits`,
    `order`,
    `item_id` AS `item`,
    ROW_NUMBER() OVER (
      PARTITION BY `rank`, `hits`, `order`
      ORDER BY NULLIF(`score`, CAST('NaN' AS DOUBLE)) DESC, `item_id` NULLS LAST
    ) AS `rank`
  FROM `db`.`recs`
  WHERE `rank` IS NOT NULL AND `hits` IS NOT NULL AND `order` IS NOT NULL AND `item_id` IS NOT NULL
), `unnumbered_hits` AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT `ranked`.`list_rank`, `ranked`.`hits`, `ranked`.`order`, MIN(`ranked`.`rank`) AS `rank`
  FROM `ranked`
  JOIN `judgments` ON `ranked`.`hits` = `judgments`.`hits` AND `ranked`.`item` = `judgments`.`item`
  GROUP BY `ranked`.`list_rank`, `ranked`.`hits`, `ranked`.`order`, `ranked`.`item`
), `hits` AS (
  /* hits: one row per hit, numbered from the top of the list. */
  SELECT
    `list_rank`,
    `hits`,
    `order`,
    `rank`,
    ROW_NUMBER() OVER (PARTITION BY `list_rank`, `hits`, `order` ORDER BY `rank` NULLS LAST) AS `hit_number`
  FROM `unnumbered_hits`
), `hits_per_list` AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    `list_rank`,
    `hits`,
    `order`,
    MIN(`rank`) FILTER(WHERE `rank` <= 5) AS `first_hit_at_5`,
    SUM(`rank` - `hit_number`) AS `misses_before_hits`,
    COUNT(*) AS `n_hits`
  FROM `hits`
  GROUP BY `list_rank`, `hits`, `order`
), `recommended_per_list` AS (
  /* recommended_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT `list_rank`, `hits`, `order`, MAX(`rank`) AS `depth`
  FROM `ranked`
  GROUP BY `list_rank`, `hits`, `order`
), `measured` AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    `recommended_lists`.`list_rank`,
    `recommended_lists`.`hits`,
    `recommended_lists`.`order`,
    COALESCE(`relevant_counts`.`n_relevant`, 0) AS `n_relevant`,
    `hits_per_list`.`first_hit_at_5` AS `first_hit_at_5`,
    COALESCE(`hits_per_list`.`misses_before_hits`, 0) AS `misses_before_hits`,
    COALESCE(`hits_per_list`.`n_hits`, 0) AS `n_hits`,
    `recommended_per_list`.`depth` AS `depth`
  FROM `recommended_lists`
  JOIN `relevant_counts` ON `recommended_lists`.`hits` = `relevant_counts`.`hits`
  LEFT JOIN `hits_per_list`
    ON `recommended_lists`.`list_rank` = `hits_per_list`.`list_rank`
    AND `recommended_lists`.`hits` = `hits_per_list`.`hits`
    AND `recommended_lists`.`order` = `hits_per_list`.`order`
  LEFT JOIN `recommended_per_list`
    ON `recommended_lists`.`list_rank` = `recommended_per_list`.`list_rank`
    AND `recommended_lists`.`hits` = `recommended_per_list`.`hits`
    AND `recommended_lists`.`order` = `recommended_per_list`.`order`
)
SELECT
  `list_rank` AS `rank`,
  `order`,
  COUNT(*) AS `n_lists`,
  AVG(
    CAST(CASE
      WHEN `n_relevant` > 0
      THEN CASE WHEN `first_hit_at_5` IS NOT NULL THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
    END AS DOUBLE)
  ) AS `hit_at_5`,
  AVG(
    CAST(COALESCE(1 - `misses_before_hits` / NULLIF(`n_hits` * (
      `depth` - `n_hits`
    ), 0), NULL) AS DOUBLE)
  ) AS `auc`
FROM `measured`
GROUP BY `list_rank`, `order`
ORDER BY `list_rank` NULLS LAST, `order` NULLS LAST
