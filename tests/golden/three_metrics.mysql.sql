-- Three metrics of algorithms over users, ranked by a rank column: the plain case.
-- ndcg@10, recall@5,10, ap@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each algorithm, user.
-- ndcg@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
-- recall@5, recall@10: share of the relevant items that are among the first k.
-- ap@10: average precision: mean, over the relevant items, of the precision at the rank of each. Its mean over lists is MAP.
WITH `ranked` AS (
  /* ranked: one row per recommendation, with its rank. Rows with a NULL id are left out. */
  SELECT `algorithm`, `user`, `item`, CAST(`rank` AS SIGNED) AS `rank`
  FROM `db`.`recs`
  WHERE `algorithm` IS NOT NULL AND `user` IS NOT NULL AND `item` IS NOT NULL AND `rank` <= 10
), `recommended` AS (
  /* recommended: one row per recommendation down to the largest cutoff. */
  SELECT `algorithm`, `user`, `item`, `rank`
  FROM `ranked`
  WHERE `rank` <= 10
), `judgments` AS (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT `user`, `item`, CAST(1 AS DOUBLE) AS `rating`
  FROM `db`.`truth`
  WHERE `user` IS NOT NULL AND `item` IS NOT NULL
), `relevant` AS (
  /* relevant: the rows of the truth with a relevant rating. */
  SELECT `user`, `item`
  FROM `judgments`
  WHERE `rating` > 0
), `matches` AS (
  /* matches: one row per recommendation of a relevant item. */
  SELECT
    `recommended`.`algorithm` AS `algorithm`,
    `recommended`.`user` AS `user`,
    `recommended`.`item`,
    `recommended`.`rank`
  FROM `recommended`
  JOIN `relevant` ON `recommended`.`user` = `relevant`.`user` AND `recommended`.`item` = `relevant`.`item`
), `unnumbered_hits` AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT `algorithm`, `user`, MIN(`rank`) AS `rank`
  FROM `matches`
  GROUP BY `algorithm`, `user`, `item`
), `hits` AS (
  /* hits: one row per hit, numbered from the top of the list. */
  SELECT
    `algorithm`,
    `user`,
    `rank`,
    CAST(ROW_NUMBER() OVER (
      PARTITION BY `unnumbered_hits`.`algorithm`, `unnumbered_hits`.`user`
      ORDER BY CASE WHEN `unnumbered_hits`.`rank` IS NULL THEN 1 ELSE 0 END, `unnumbered_hits`.`rank`
    ) AS SIGNED) AS `hit_number`
  FROM `unnumbered_hits`
), `hits_per_list` AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    `algorithm`,
    `user`,
    SUM(CASE WHEN `rank` <= 10 THEN LN(2) / LN(`rank` + 1) END) AS `dcg_by_rank_at_10`,
    CAST(COUNT(CASE WHEN `rank` <= 5 THEN 1 END) AS SIGNED) AS `n_hits_at_5`,
    CAST(COUNT(CASE WHEN `rank` <= 10 THEN 1 END) AS SIGNED) AS `n_hits_at_10`,
    SUM(CASE WHEN `rank` <= 10 THEN CAST(`hit_number` AS DOUBLE) / `rank` END) AS `precisions_at_hits_at_10`
  FROM `hits`
  GROUP BY `algorithm`, `user`
), `positions` AS (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT `rank`
  FROM (
    SELECT 1 AS `rank` UNION ALL SELECT 2 AS `rank` UNION ALL SELECT 3 AS `rank` UNION ALL SELECT 4 AS `rank` UNION ALL
    SELECT 5 AS `rank` UNION ALL SELECT 6 AS `rank` UNION ALL SELECT 7 AS `rank` UNION ALL SELECT 8 AS `rank` UNION ALL
    SELECT 9 AS `rank` UNION ALL SELECT 10 AS `rank`
  ) AS `positions`
), `ideal` AS (
  /* ideal: one row per number of relevant items and rank of an ideal list with this number of items. */
  SELECT `counts`.`rank` AS `n_relevant`, `positions`.`rank` AS `rank`
  FROM `positions` AS `counts`
  JOIN `positions` ON `positions`.`rank` <= `counts`.`rank`
), `ideal_per_list` AS (
  /* ideal_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT `n_relevant`, SUM(CASE WHEN `rank` <= 10 THEN LN(2) / LN(`rank` + 1) END) AS `ideal_dcg_at_10`
  FROM `ideal`
  GROUP BY `n_relevant`
), `relevant_counts` AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT `user`, CAST(COUNT(DISTINCT CASE WHEN `rating` > 0 THEN `item` END) AS SIGNED) AS `n_relevant`
  FROM `judgments`
  GROUP BY `user`
), `truth_lists` AS (
  /* truth_lists: one row per truth list. */
  SELECT `user`, `n_relevant`
  FROM `relevant_counts`
), `systems` AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT `algorithm`
  FROM `db`.`recs`
  WHERE `algorithm` IS NOT NULL AND `user` IS NOT NULL
), `lists` AS (
  /* lists: one row per scored list: every list of the truth, for every system of its partition. */
  SELECT `truth_lists`.`user` AS `user`, `systems`.`algorithm` AS `algorithm`, `truth_lists`.`n_relevant`
  FROM `truth_lists`
  CROSS JOIN `systems`
), `measured` AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT
    `lists`.`algorithm`,
    `lists`.`user`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_10`, 0) AS `dcg_by_rank_at_10`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_10`, 0) AS `ideal_dcg_at_10`,
    COALESCE(`hits_per_list`.`n_hits_at_5`, 0) AS `n_hits_at_5`,
    COALESCE(`lists`.`n_relevant`, 0) AS `n_relevant`,
    COALESCE(`hits_per_list`.`n_hits_at_10`, 0) AS `n_hits_at_10`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_10`, 0) AS `precisions_at_hits_at_10`
  FROM `lists`
  LEFT JOIN `hits_per_list`
    ON `lists`.`algorithm` = `hits_per_list`.`algorithm` AND `lists`.`user` = `hits_per_list`.`user`
  LEFT JOIN `ideal_per_list` ON LEAST(10, COALESCE(`lists`.`n_relevant`, 0)) = `ideal_per_list`.`n_relevant`
), `per_list` AS (
  /* per_list: one row per scored list, with its metrics */
  SELECT
    `algorithm`,
    `user`,
    CAST(`dcg_by_rank_at_10` AS DOUBLE) / NULLIF(`ideal_dcg_at_10`, 0) AS `ndcg_at_10`,
    CAST(`n_hits_at_5` AS DOUBLE) / NULLIF(`n_relevant`, 0) AS `recall_at_5`,
    CAST(`n_hits_at_10` AS DOUBLE) / NULLIF(`n_relevant`, 0) AS `recall_at_10`,
    CASE
      WHEN `n_relevant` > 0
      THEN CAST(`precisions_at_hits_at_10` AS DOUBLE) / NULLIF(CASE WHEN `n_relevant` < 10 THEN `n_relevant` ELSE 10 END, 0)
    END AS `ap_at_10`
  FROM `measured`
)
SELECT
  `algorithm`,
  CAST(COUNT(*) AS SIGNED) AS `n_lists`,
  AVG(CAST(`ndcg_at_10` AS DOUBLE)) AS `ndcg_at_10`,
  AVG(CAST(`recall_at_5` AS DOUBLE)) AS `recall_at_5`,
  AVG(CAST(`recall_at_10` AS DOUBLE)) AS `recall_at_10`,
  AVG(CAST(`ap_at_10` AS DOUBLE)) AS `ap_at_10`
FROM `per_list`
GROUP BY `algorithm`
ORDER BY CASE WHEN `algorithm` IS NULL THEN 1 ELSE 0 END, `algorithm`
