-- Three metrics of algorithms over users, ranked by a rank column: the plain case.
-- ndcg@10, recall@5,10, ap@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each algorithm, user.
-- ndcg@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
-- recall@5, recall@10: share of the relevant items that are among the first k.
-- ap@10: average precision: mean, over the relevant items, of the precision at the rank of each. Its mean over lists is MAP.
WITH `unnumbered_hits` AS (
  /* unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item. */
  SELECT `recs`.`algorithm`, `recs`.`user`, MIN(CAST(`recs`.`rank` AS BIGINT)) AS `rank`
  FROM `db`.`recs`
  JOIN `db`.`truth` ON `recs`.`user` = `truth`.`user` AND `recs`.`item` = `truth`.`item`
  WHERE `recs`.`algorithm` IS NOT NULL AND `recs`.`rank` <= 10
  GROUP BY `recs`.`algorithm`, `recs`.`user`, `recs`.`item`
), `hits` AS (
  /* hits: one row per hit, numbered from the top of the list. */
  SELECT
    `algorithm`,
    `user`,
    `rank`,
    ROW_NUMBER() OVER (PARTITION BY `algorithm`, `user` ORDER BY `rank` NULLS LAST) AS `hit_number`
  FROM `unnumbered_hits`
), `hits_per_list` AS (
  /* hits_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    `algorithm`,
    `user`,
    SUM(LN(2) / LN(`rank` + 1)) AS `dcg_by_rank_at_10`,
    COUNT(*) FILTER(WHERE `rank` <= 5) AS `n_hits_at_5`,
    COUNT(*) AS `n_hits_at_10`,
    SUM(CAST(`hit_number` AS DOUBLE) / `rank`) AS `precisions_at_hits_at_10`
  FROM `hits`
  GROUP BY `algorithm`, `user`
), `positions` AS (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT `rank`
  FROM VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10) AS `positions`(`rank`)
), `ideal_per_list` AS (
  /* ideal_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT `counts`.`rank` AS `n_relevant`, SUM(LN(2) / LN(`positions`.`rank` + 1)) AS `ideal_dcg_at_10`
  FROM `positions` AS `counts`
  JOIN `positions` ON `positions`.`rank` <= `counts`.`rank`
  GROUP BY `counts`.`rank`
), `relevant_counts` AS (
  /* relevant_counts: one row per truth list, with counts such as the number of its relevant items. */
  SELECT `user`, COUNT(DISTINCT `item`) AS `n_relevant`
  FROM `db`.`truth`
  WHERE `user` IS NOT NULL AND `item` IS NOT NULL
  GROUP BY `user`
), `systems` AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT `algorithm`
  FROM `db`.`recs`
  WHERE `algorithm` IS NOT NULL AND `user` IS NOT NULL
), `measured` AS (
  /* measured: one row per scored list, with all values that its metrics are computed from */
  SELECT /*+ BROADCAST(`systems`) */
    `systems`.`algorithm`,
    `relevant_counts`.`user`,
    COALESCE(`hits_per_list`.`dcg_by_rank_at_10`, 0) AS `dcg_by_rank_at_10`,
    COALESCE(`ideal_per_list`.`ideal_dcg_at_10`, 0) AS `ideal_dcg_at_10`,
    COALESCE(`hits_per_list`.`n_hits_at_5`, 0) AS `n_hits_at_5`,
    COALESCE(`relevant_counts`.`n_relevant`, 0) AS `n_relevant`,
    COALESCE(`hits_per_list`.`n_hits_at_10`, 0) AS `n_hits_at_10`,
    COALESCE(`hits_per_list`.`precisions_at_hits_at_10`, 0) AS `precisions_at_hits_at_10`
  FROM `relevant_counts`
  CROSS JOIN `systems`
  LEFT JOIN `hits_per_list`
    ON `systems`.`algorithm` = `hits_per_list`.`algorithm`
    AND `relevant_counts`.`user` = `hits_per_list`.`user`
  LEFT JOIN `ideal_per_list` ON LEAST(10, COALESCE(`relevant_counts`.`n_relevant`, 0)) = `ideal_per_list`.`n_relevant`
)
SELECT
  `algorithm`,
  COUNT(*) AS `n_lists`,
  AVG(CAST(`dcg_by_rank_at_10` / NULLIF(`ideal_dcg_at_10`, 0) AS DOUBLE)) AS `ndcg_at_10`,
  AVG(CAST(`n_hits_at_5` / NULLIF(`n_relevant`, 0) AS DOUBLE)) AS `recall_at_5`,
  AVG(CAST(`n_hits_at_10` / NULLIF(`n_relevant`, 0) AS DOUBLE)) AS `recall_at_10`,
  AVG(
    CAST(CASE WHEN `n_relevant` > 0 THEN `precisions_at_hits_at_10` / NULLIF(LEAST(10, `n_relevant`), 0) END AS DOUBLE)
  ) AS `ap_at_10`
FROM `measured`
GROUP BY `algorithm`
ORDER BY `algorithm` NULLS LAST
