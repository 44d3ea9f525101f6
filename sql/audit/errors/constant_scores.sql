-- constant_scores: systems that give all items of a list the same score, in every list of two items or more
--
-- needs: score
WITH score_ranges AS (
  SELECT list_id, COUNT(*) AS n_items, MIN(score) AS lowest, MAX(score) AS highest
  FROM recs
  GROUP BY list_id
)
SELECT system_id, COUNT(*) AS n_lists
FROM score_ranges
WHERE n_items > 1
GROUP BY system_id
HAVING SUM(CASE WHEN lowest < highest THEN 1 ELSE 0 END) = 0
