-- unequal_candidates: lists of a system without items that other systems rank there, although systems rank the same items in most lists, as the same candidates
--
-- needs: systems
WITH ranked AS (
  SELECT DISTINCT list_id, item
  FROM recs
),
ranked_counts AS (
  SELECT list_id, COUNT(*) AS n_items
  FROM ranked
  GROUP BY list_id
),
fewest_counts AS (
  SELECT test_id, MIN(n_items) AS fewest_items
  FROM ranked_counts
  GROUP BY test_id
  HAVING COUNT(*) > 1
),
candidates AS (
  SELECT DISTINCT test_id, item
  FROM recs
),
candidate_counts AS (
  SELECT test_id, COUNT(*) AS n_candidates
  FROM candidates
  GROUP BY test_id
),
equal_lists AS (
  SELECT
    COUNT(*) AS n_lists,
    SUM(CASE WHEN fewest_counts.fewest_items = candidate_counts.n_candidates THEN 1 ELSE 0 END) AS n_equal_lists
  FROM fewest_counts
  INNER JOIN candidate_counts ON fewest_counts.test_id = candidate_counts.test_id
)
SELECT ranked_counts.list_id, ranked_counts.n_items, candidate_counts.n_candidates
FROM ranked_counts
INNER JOIN candidate_counts ON ranked_counts.test_id = candidate_counts.test_id
CROSS JOIN equal_lists
WHERE ranked_counts.n_items < candidate_counts.n_candidates AND 2 * equal_lists.n_equal_lists > equal_lists.n_lists
