-- shorter_lists: systems whose longest list is shorter than that of another system, as with other candidates or another cutoff
--
-- needs: systems
WITH lengths AS (
  SELECT list_id, COUNT(*) AS n_items
  FROM recs
  GROUP BY list_id
),
longest_lists AS (
  SELECT system_id, MAX(n_items) AS longest_list
  FROM lengths
  GROUP BY system_id
),
longest AS (
  SELECT MAX(longest_list) AS longest_of_all
  FROM longest_lists
)
SELECT longest_lists.system_id, longest_lists.longest_list, longest.longest_of_all
FROM longest_lists
CROSS JOIN longest
WHERE longest_lists.longest_list < longest.longest_of_all
