-- lists_of_unequal_length: lists of which systems have different numbers of items
--
-- needs: systems
WITH lengths AS (
  SELECT list_id, COUNT(*) AS n_items
  FROM recs
  GROUP BY list_id
)
SELECT test_id, MIN(n_items) AS fewest_items, MAX(n_items) AS most_items
FROM lengths
GROUP BY test_id
HAVING MIN(n_items) < MAX(n_items)
