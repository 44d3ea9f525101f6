-- systems_with_few_lists: systems with fewer than half of the lists of another system, as if they did not run to the end
--
-- needs: systems
WITH lists AS (
  SELECT DISTINCT list_id, 1 AS is_list
  FROM recs
),
list_counts AS (
  SELECT systems.system_id, COUNT(lists.is_list) AS n_lists
  FROM systems
  LEFT JOIN lists ON systems.system_id = lists.system_id
  GROUP BY systems.system_id
),
largest AS (
  SELECT MAX(n_lists) AS most_lists
  FROM list_counts
)
SELECT list_counts.system_id, list_counts.n_lists, largest.most_lists
FROM list_counts
CROSS JOIN largest
WHERE 2 * list_counts.n_lists < largest.most_lists
