-- Ranked by score, graded by rating, over a partition, one row per list.
-- ndcg(gain=exponential)@10, precision(rel=4, divisor=list), err(stop=graded)@10
WITH `ranked` AS (
  /* ranked: every recommendation with its rank. */
  SELECT
    `partition`,
    `algorithm`,
    `user`,
    `item`,
    ROW_NUMBER() OVER (
      PARTITION BY `partition`, `algorithm`, `user`
      ORDER BY NULLIF(`score`, CAST('NaN' AS DOUBLE)) DESC, `item` NULLS LAST
    ) AS `rank`
  FROM `db`.`recs`
  WHERE
    `partition` IS NOT NULL AND `algorithm` IS NOT NULL AND `user` IS NOT NULL AND `item` IS NOT NULL
), `judgments` AS (
  /* judgments: the truth, row by row; a row without a rating counts as rated 1, a row with a NULL id is left out. */
  SELECT
    `partition`,
    `user`,
    `item`,
    COALESCE(NULLIF(CAST(`rating` AS DOUBLE), CAST('NaN' AS DOUBLE)), CAST(1 AS DOUBLE)) AS `rating`
  FROM `db`.`truth`
  WHERE
    `partition` IS NOT NULL AND `user` IS NOT NULL AND `item` IS NOT NULL
), `relevant` AS (
  /* relevant: the rows of the truth that a list should have found. */
  SELECT
    `partition`,
    `user`,
    `item`,
    `rating`
  FROM `judgments`
  WHERE
    `rating` > 0
), `matched` AS (
  /* matched: the recommendations of relevant items. */
  SELECT
    `ranked`.`partition` AS `partition`,
    `ranked`.`algorithm` AS `algorithm`,
    `ranked`.`user` AS `user`,
    `ranked`.`item`,
    `ranked`.`rank`,
    `relevant`.`rating`
  FROM `ranked`
  JOIN `relevant`
    ON `ranked`.`partition` = `relevant`.`partition`
    AND `ranked`.`user` = `relevant`.`user`
    AND `ranked`.`item` = `relevant`.`item`
), `found` AS (
  /* found: the relevant items that were recommended, each once, at its best rank and with its highest rating. */
  SELECT
    `partition`,
    `algorithm`,
    `user`,
    MIN(`rank`) AS `rank`,
    MAX(`rating`) AS `rating`
  FROM `matched`
  GROUP BY
    `partition`,
    `algorithm`,
    `user`,
    `item`
), `hits_per_list` AS (
  /* hits_per_list: sums over the rows of found, for each list */
  SELECT
    `partition`,
    `algorithm`,
    `user`,
    SUM((
      POWER(CAST(2 AS DOUBLE), `rating`) - 1
    ) * (
      LN(2) / LN(`rank` + 1)
    )) FILTER(WHERE
      `rank` <= 10) AS `dcg_by_rank(gain=exponential)@10`
  FROM `found`
  GROUP BY
    `partition`,
    `algorithm`,
    `user`
), `judged` AS (
  /* judged: the truth, one row per list and item; where an item is repeated, its highest rating stands. */
  SELECT
    `partition`,
    `user`,
    MAX(`rating`) AS `rating`
  FROM `judgments`
  GROUP BY
    `partition`,
    `user`,
    `item`
), `ideal` AS (
  /* ideal: the relevant items in the best order there is, highest rating first. */
  SELECT
    `partition`,
    `user`,
    `rating`,
    ROW_NUMBER() OVER (PARTITION BY `partition`, `user` ORDER BY `rating` DESC) AS `rank`
  FROM `judged`
  WHERE
    `rating` > 0
), `ideal_per_list` AS (
  /* ideal_per_list: sums over the rows of ideal, for each list */
  SELECT
    `partition`,
    `user`,
    SUM((
      POWER(CAST(2 AS DOUBLE), `rating`) - 1
    ) * (
      LN(2) / LN(`rank` + 1)
    )) FILTER(WHERE
      `rank` <= 10) AS `ideal_dcg(gain=exponential)@10`
  FROM `ideal`
  GROUP BY
    `partition`,
    `user`
), `relevant_rel_4` AS (
  /* relevant_rel_4: the rows of the truth that a list should have found. */
  SELECT
    `partition`,
    `user`,
    `item`
  FROM `judgments`
  WHERE
    `rating` >= 4
), `matched_rel_4` AS (
  /* matched_rel_4: the recommendations of relevant items. */
  SELECT
    `ranked`.`partition` AS `partition`,
    `ranked`.`algorithm` AS `algorithm`,
    `ranked`.`user` AS `user`,
    `ranked`.`item`
  FROM `ranked`
  JOIN `relevant_rel_4`
    ON `ranked`.`partition` = `relevant_rel_4`.`partition`
    AND `ranked`.`user` = `relevant_rel_4`.`user`
    AND `ranked`.`item` = `relevant_rel_4`.`item`
), `found_rel_4` AS (
  /* found_rel_4: the relevant items that were recommended, each once, at its best rank and with its highest rating. */
  SELECT
    `partition`,
    `algorithm`,
    `user`
  FROM `matched_rel_4`
  GROUP BY
    `partition`,
    `algorithm`,
    `user`,
    `item`
), `hits_rel_4_per_list` AS (
  /* hits_rel_4_per_list: sums over the rows of found_rel_4, for each list */
  SELECT
    `partition`,
    `algorithm`,
    `user`,
    COUNT(*) AS `n_hits(rel=4)`
  FROM `found_rel_4`
  GROUP BY
    `partition`,
    `algorithm`,
    `user`
), `recommended_per_list` AS (
  /* recommended_per_list: sums over the rows of ranked, for each list */
  SELECT
    `partition`,
    `algorithm`,
    `user`,
    COUNT(*) AS `n_recommended`
  FROM `ranked`
  GROUP BY
    `partition`,
    `algorithm`,
    `user`
), `stops_stop_graded` AS (
  /* stops_stop_graded: the chance that a reader stops at each hit. */
  SELECT
    `partition`,
    `algorithm`,
    `user`,
    `rank`,
    CASE
      WHEN `rating` <= 5
      THEN LEAST(
        (
          POWER(CAST(2 AS DOUBLE), `rating`) - 1
        ) / POWER(CAST(2 AS DOUBLE), 5),
        CAST(0.999999999999999 AS DOUBLE)
      )
    END AS `stop`
  FROM `found`
), `cascade_stop_graded` AS (
  /* cascade_stop_graded: the hits as a reader meets them who may stop at each. */
  SELECT
    `partition`,
    `algorithm`,
    `user`,
    `rank`,
    `stop`,
    EXP(
      SUM(LN(1 - `stop`)) OVER (
        PARTITION BY `partition`, `algorithm`, `user`
        ORDER BY `rank`
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      )
    ) / (
      1 - `stop`
    ) AS `reached`
  FROM `stops_stop_graded`
), `cascade_stop_graded_per_list` AS (
  /* cascade_stop_graded_per_list: sums over the rows of cascade_stop_graded, for each list */
  SELECT
    `partition`,
    `algorithm`,
    `user`,
    COUNT(*) FILTER(WHERE
      `rank` <= 10) AS `expected_stop(stop=graded)@10 count`,
    COUNT(`stop`) FILTER(WHERE
      `rank` <= 10) AS `expected_stop(stop=graded)@10 count of stop`,
    SUM(`stop` * `reached` / `rank`) FILTER(WHERE
      `rank` <= 10) AS `expected_stop(stop=graded)@10 sum of rank and reached and stop`
  FROM `cascade_stop_graded`
  GROUP BY
    `partition`,
    `algorithm`,
    `user`
), `sizes` AS (
  /* sizes: every list of the truth, with how much it holds. */
  SELECT
    `partition`,
    `user`,
    COUNT(DISTINCT `item`) FILTER(WHERE
      `rating` > 0) AS `n_relevant`
  FROM `judgments`
  GROUP BY
    `partition`,
    `user`
), `sizes_per_list` AS (
  /* sizes_per_list: sums over the rows of sizes, for each list */
  SELECT
    `partition`,
    `user`,
    `n_relevant`
  FROM `sizes`
), `systems` AS (
  /* systems: what was measured: each value of the list columns that the truth has not. */
  SELECT DISTINCT
    `algorithm`
  FROM `db`.`recs`
  WHERE
    `partition` IS NOT NULL AND `algorithm` IS NOT NULL AND `user` IS NOT NULL
), `lists` AS (
  /* lists: whom the mean is taken over: every list of the truth, for every system. */
  SELECT /*+ BROADCAST(`systems`) */
    `sizes`.`partition` AS `partition`,
    `sizes`.`user` AS `user`,
    `systems`.`algorithm` AS `algorithm`
  FROM `sizes`
  CROSS JOIN `systems`
), `measured` AS (
  /* measured: one row per list, with what the metrics are computed from */
  SELECT
    `lists`.`partition`,
    `lists`.`algorithm`,
    `lists`.`user`,
    COALESCE(`hits_per_list`.`dcg_by_rank(gain=exponential)@10`, 0) AS `dcg_by_rank(gain=exponential)@10`,
    COALESCE(`ideal_per_list`.`ideal_dcg(gain=exponential)@10`, 0) AS `ideal_dcg(gain=exponential)@10`,
    COALESCE(`hits_rel_4_per_list`.`n_hits(rel=4)`, 0) AS `n_hits(rel=4)`,
    COALESCE(`recommended_per_list`.`n_recommended`, 0) AS `n_recommended`,
    CASE
      WHEN COALESCE(`cascade_stop_graded_per_list`.`expected_stop(stop=graded)@10 count`, 0) = COALESCE(`cascade_stop_graded_per_list`.`expected_stop(stop=graded)@10 count of stop`, 0)
      THEN COALESCE(`cascade_stop_graded_per_list`.`expected_stop(stop=graded)@10 sum of rank and reached and stop`, 0)
    END AS `expected_stop(stop=graded)@10`,
    COALESCE(`sizes_per_list`.`n_relevant`, 0) AS `n_relevant`
  FROM `lists`
  LEFT JOIN `hits_per_list`
    ON `lists`.`partition` = `hits_per_list`.`partition`
    AND `lists`.`algorithm` = `hits_per_list`.`algorithm`
    AND `lists`.`user` = `hits_per_list`.`user`
  LEFT JOIN `ideal_per_list`
    ON `lists`.`partition` = `ideal_per_list`.`partition` AND `lists`.`user` = `ideal_per_list`.`user`
  LEFT JOIN `hits_rel_4_per_list`
    ON `lists`.`partition` = `hits_rel_4_per_list`.`partition`
    AND `lists`.`algorithm` = `hits_rel_4_per_list`.`algorithm`
    AND `lists`.`user` = `hits_rel_4_per_list`.`user`
  LEFT JOIN `recommended_per_list`
    ON `lists`.`partition` = `recommended_per_list`.`partition`
    AND `lists`.`algorithm` = `recommended_per_list`.`algorithm`
    AND `lists`.`user` = `recommended_per_list`.`user`
  LEFT JOIN `cascade_stop_graded_per_list`
    ON `lists`.`partition` = `cascade_stop_graded_per_list`.`partition`
    AND `lists`.`algorithm` = `cascade_stop_graded_per_list`.`algorithm`
    AND `lists`.`user` = `cascade_stop_graded_per_list`.`user`
  LEFT JOIN `sizes_per_list`
    ON `lists`.`partition` = `sizes_per_list`.`partition` AND `lists`.`user` = `sizes_per_list`.`user`
)
SELECT
  `partition`,
  `algorithm`,
  `user`,
  `dcg_by_rank(gain=exponential)@10` / NULLIF(`ideal_dcg(gain=exponential)@10`, 0) AS `ndcg(gain=exponential)@10`,
  `n_hits(rel=4)` / NULLIF(`n_recommended`, 0) AS `precision(rel=4, divisor=list)`,
  CASE WHEN `n_relevant` > 0 THEN `expected_stop(stop=graded)@10` END AS `err(stop=graded)@10`
FROM `measured`
