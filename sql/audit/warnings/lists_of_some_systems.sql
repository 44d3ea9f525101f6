-- lists_of_some_systems: lists that some systems have and others lack, so that means of systems differ in their lists
--
-- needs: systems
WITH lists AS (
  SELECT DISTINCT list_id
  FROM recs
),
system_counts AS (
  SELECT COUNT(*) AS n_systems
  FROM systems
),
list_counts AS (
  SELECT test_id, COUNT(*) AS n_systems_with_list
  FROM lists
  GROUP BY test_id
)
SELECT list_counts.test_id, list_counts.n_systems_with_list, system_counts.n_systems
FROM list_counts
CROSS JOIN system_counts
WHERE list_counts.n_systems_with_list < system_counts.n_systems
