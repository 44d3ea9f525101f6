-- cascade_weights: one row per action of the log and system, with the product of the importance weights of its impression down to it.
--
-- importance: the importance weight of the action alone.
-- importance_down: the product of the weights from the first position down to the action.
SELECT
  list_id, impression_id, item, rank, reward, importance,
  CASE WHEN MIN(importance) OVER (
    PARTITION BY list_id, impression_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) > 0 THEN EXP(SUM(LN(NULLIF(importance, 0))) OVER (
    PARTITION BY list_id, impression_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )) ELSE CAST(0 AS DOUBLE) END AS importance_down
FROM logged_actions
