-- One metric under three conventions, each over its own lists.
-- ndcg(convention=replay)@10, ndcg(convention=elliot)@10, ndcg(convention=lenskit)@10
-- Written by rankmetrics 0.1.0 for recommendations db.recs, truth db.truth, a list for each algorithm, user.
-- ndcg(convention=replay)@10, ndcg(convention=elliot)@10, ndcg(convention=lenskit)@10: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
WITH `judgments` AS (
  /* judgments: the rows of the truth. A missing rating counts as 1, and rows with a NULL id are left out. */
  SELECT `user`, `item`, COALESCE(CAST(`rating` AS DOUBLE), CAST(1 AS DOUBLE)) AS `rating`
  FROM `db`.`truth`
  WHERE `user` IS NOT NULL AND `item` IS NOT NULL
), `unnumbered_hits_duplicates_each_relevance_any` AS (
  /* unnumbered_hits_duplicates_each_relevance_any: one row per hit. An item that a list repeats is a hit at each of its ranks. */
  SELECT `recs`.`algorithm`, `recs`.`user`, CAST(`recs`.`rank` AS SIGNED) AS `rank`
  FROM `db`.`recs`
  JOIN `judgments` ON `recs`.`user` = `judgments`.`user` AND `recs`.`item` = `judgments`.`item`
  WHERE `recs`.`algorithm` IS NOT NULL AND `recs`.`rank` <= 10
  GROUP BY `recs`.`algorithm`, `recs`.`user`, `recs`.`item`, CAST(`recs`.`rank` AS SIGNED)
), `hits_duplicates_each_relevance_any_per_list` AS (
  /* hits_duplicates_each_relevance_any_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    `algorithm`,
    `user`,
    SUM(LN(2) / LN(`rank` + 1)) AS `dcg_by_rank_duplicates_each_relevance_any_at_10`,
    SUM(CASE WHEN `rank` > 2 THEN LN(2) / LN(`rank`) ELSE CAST(1 AS DOUBLE) END) AS `dcg_by_rank_discount_lenskit_duplicates_each_relevance_any_at_10`
  FROM `unnumbered_hits_duplicates_each_relevance_any`
  GROUP BY `algorithm`, `user`
), `positions` AS (
  /* positions: one row per rank, from 1 to the largest cutoff. */
  SELECT `rank`
  FROM (
    SELECT 1 AS `rank` UNION ALL SELECT 2 AS `rank` UNION ALL SELECT 3 AS `rank` UNION ALL SELECT 4 AS `rank` UNION ALL
    SELECT 5 AS `rank` UNION ALL SELECT 6 AS `rank` UNION ALL SELECT 7 AS `rank` UNION ALL SELECT 8 AS `rank` UNION ALL
    SELECT 9 AS `rank` UNION ALL SELECT 10 AS `rank`
  ) AS `positions`
), `ideal_relevance_any_per_list` AS (
  /* ideal_relevance_any_per_list: one row per number of relevant items, with aggregates that metrics are computed from */
  SELECT
    `counts`.`rank` AS `n_relevant`,
    SUM(LN(2) / LN(`positions`.`rank` + 1)) AS `ideal_dcg_relevance_any_at_10`,
    SUM(CASE WHEN `positions`.`rank` > 2 THEN LN(2) / LN(`positions`.`rank`) ELSE CAST(1 AS DOUBLE) END) AS `ideal_dcg_discount_lenskit_relevance_any_at_10`
  FROM `positions` AS `counts`
  JOIN `positions` ON `positions`.`rank` <= `counts`.`rank`
  GROUP BY `counts`.`rank`
), `unnumbered_hits_duplicates_each_rel_0` AS (
  /* unnumbered_hits_duplicates_each_rel_0: one row per hit. An item that a list repeats is a hit at each of its ranks. */
  SELECT
    `recs`.`algorithm`,
    `recs`.`user`,
    CAST(`recs`.`rank` AS SIGNED) AS `rank`,
    MAX(`judgments`.`rating`) AS `rating`
  FROM `db`.`recs`
  JOIN `judgments` ON `recs`.`user` = `judgments`.`user` AND `recs`.`item` = `judgments`.`item`
  WHERE `judgments`.`rating` >= 0 AND `recs`.`algorithm` IS NOT NULL AND `recs`.`rank` <= 10
  GROUP BY `recs`.`algorithm`, `recs`.`user`, `recs`.`item`, CAST(`recs`.`rank` AS SIGNED)
), `hits_duplicates_each_rel_0_per_list` AS (
  /* hits_duplicates_each_rel_0_per_list: one row per list, with aggregates that metrics are computed from */
  SELECT
    `algorithm`,
    `user`,
    SUM((
      POWER(CAST(2 AS DOUBLE), `rating` + 1) - 1
    ) * (
      LN(2) / LN(`rank` + 1)
    )) AS `dcg_by_rank_duplicates_each_gain_excess_rel_0_at_10`
  FROM `unnumbered_hits_duplicates_each_rel_0`
  GROUP BY `algorithm`, `user`
), `distinct_judgments` AS (
  /* distinct_judgments: one row per truth list and item. A repeated item keeps its highest rating. */
  SELECT `user`, MAX(`rating`) AS `rating`
  FROM `judgments`
  GROUP BY `user`, `item`
), `ideal_rel_0` AS (
  /* ideal_rel_0: one row per truth list and relevant item, ranked by rating, the highest first. */
  SELECT
    `user`,
    `rating`,
    CAST(ROW_NUMBER() OVER (PARTITION BY `distinct_judgments`.`user` ORDER BY `distinct_judgments`.`rating` DESC) AS SIGNED) AS `rank`
  FROM `distinct_judgments`
  WHERE `rating` >= 0
), `ideal_rel_0_per_list` AS (
  /* ideal_rel_0_per_list: one row per truth list, with aggregates that metrics are computed from */
  SELECT
    `user`,
    SUM(
      CASE
        WHEN `rank` <= 10
        THEN (
          POWER(CAST(2 AS DOUBLE), `rating` + 1) - 1
        ) * (
          LN(2) / LN(`rank` + 1)
        )
      END
    ) AS `ideal_dcg_gain_excess_rel_0_at_10`
  FROM `ideal_rel_0`
  GROUP BY `user`
), `relevant_counts_rel_0` AS (
  /* relevant_counts_rel_0: one row per truth list, with counts such as the number of its relevant items. */
  SELECT `user`, CAST(COUNT(DISTINCT CASE WHEN `rating` >= 0 THEN `item` END) AS SIGNED) AS `n_relevant`
  FROM `judgments`
  GROUP BY `user`
), `relevant_counts_relevance_any` AS (
  /* relevant_counts_relevance_any: one row per truth list, with counts such as the number of its relevant items. */
  SELECT `user`, CAST(COUNT(DISTINCT `item`) AS SIGNED) AS `n_relevant`
  FROM `judgments`
  GROUP BY `user`
), `systems` AS (
  /* systems: one row per partition and system that has recommendations in it. */
  SELECT DISTINCT `algorithm`
  FROM `db`.`recs`
  WHERE `algorithm` IS NOT NULL AND `user` IS NOT NULL
), `recommended_lists` AS (
  /* recommended_lists: one row per list of the recommendations. */
  SELECT DISTINCT `algorithm`, `user`
  FROM `db`.`recs`
  WHERE `algorithm` IS NOT NULL AND `user` IS NOT NULL
), `lists` AS (
  /* lists: one row per list of any choice of `missing`, with a flag for each choice */
  SELECT `algorithm`, `user`, MAX(`in_zero`) AS `in_zero`, MAX(`in_skip`) AS `in_skip`, MAX(`in_listed`) AS `in_listed`
  FROM (
    SELECT `systems`.`algorithm`, `relevant_counts_rel_0`.`user`, 1 AS `in_zero`, 0 AS `in_skip`, 0 AS `in_listed`
    FROM `relevant_counts_rel_0`
    CROSS JOIN `systems`
    UNION ALL
    SELECT `recommended_lists`.`algorithm`, `recommended_lists`.`user`, 0 AS `in_zero`, 1 AS `in_skip`, 0 AS `in_listed`
    FROM `recommended_lists`
    JOIN `relevant_counts_rel_0` ON `recommended_lists`.`user` = `relevant_counts_rel_0`.`user`
    UNION ALL
    SELECT `algorithm`, `user`, 0 AS `in_zero`, 0 AS `in_skip`, 1 AS `in_listed`
    FROM `recommended_lists`
  ) AS `every_list`
  GROUP BY `algorithm`, `user`
)
SELECT
  `lists`.`algorithm`,
  CAST(COUNT(*) AS SIGNED) AS `n_lists`,
  AVG(
    CAST(CASE
      WHEN `lists`.`in_zero` = 1
      THEN CAST(COALESCE(`hits_duplicates_each_relevance_any_per_list`.`dcg_by_rank_duplicates_each_relevance_any_at_10`, 0) AS DOUBLE) / NULLIF(COALESCE(`ideal_relevance_any_per_list`.`ideal_dcg_relevance_any_at_10`, 0), 0)
    END AS DOUBLE)
  ) AS `ndcg_convention_replay_at_10`,
  AVG(
    CAST(CASE
      WHEN `lists`.`in_skip` = 1
      THEN CASE
        WHEN COALESCE(`relevant_counts_rel_0`.`n_relevant`, 0) > 0
        THEN CAST(COALESCE(`hits_duplicates_each_rel_0_per_list`.`dcg_by_rank_duplicates_each_gain_excess_rel_0_at_10`, 0) AS DOUBLE) / NULLIF(COALESCE(`ideal_rel_0_per_list`.`ideal_dcg_gain_excess_rel_0_at_10`, 0), 0)
      END
    END AS DOUBLE)
  ) AS `ndcg_convention_elliot_at_10`,
  AVG(
    CAST(CASE
      WHEN `lists`.`in_listed` = 1
      THEN COALESCE(
        CAST(COALESCE(
          `hits_duplicates_each_relevance_any_per_list`.`dcg_by_rank_discount_lenskit_duplicates_each_relevance_any_at_10`,
          0
        ) AS DOUBLE) / NULLIF(COALESCE(`ideal_relevance_any_per_list`.`ideal_dcg_discount_lenskit_relevance_any_at_10`, 0), 0),
        0
      )
    END AS DOUBLE)
  ) AS `ndcg_convention_lenskit_at_10`
FROM `lists`
LEFT JOIN `hits_duplicates_each_relevance_any_per_list`
  ON `lists`.`algorithm` = `hits_duplicates_each_relevance_any_per_list`.`algorithm`
  AND `lists`.`user` = `hits_duplicates_each_relevance_any_per_list`.`user`
LEFT JOIN `hits_duplicates_each_rel_0_per_list`
  ON `lists`.`algorithm` = `hits_duplicates_each_rel_0_per_list`.`algorithm`
  AND `lists`.`user` = `hits_duplicates_each_rel_0_per_list`.`user`
LEFT JOIN `ideal_rel_0_per_list` ON `lists`.`user` = `ideal_rel_0_per_list`.`user`
LEFT JOIN `relevant_counts_rel_0` ON `lists`.`user` = `relevant_counts_rel_0`.`user`
LEFT JOIN `relevant_counts_relevance_any` ON `lists`.`user` = `relevant_counts_relevance_any`.`user`
LEFT JOIN `ideal_relevance_any_per_list`
  ON COALESCE(
    LEAST(10, COALESCE(`relevant_counts_relevance_any`.`n_relevant`, 0)),
    10,
    COALESCE(`relevant_counts_relevance_any`.`n_relevant`, 0)
  ) = `ideal_relevance_any_per_list`.`n_relevant`
GROUP BY `lists`.`algorithm`
ORDER BY CASE WHEN `lists`.`algorithm` IS NULL THEN 1 ELSE 0 END, `lists`.`algorithm`
