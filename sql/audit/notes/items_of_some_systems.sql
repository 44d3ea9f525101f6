-- items_of_some_systems: items that some systems recommend and others never do
--
-- needs: systems
WITH items AS (
  SELECT DISTINCT system_id, item
  FROM recs
),
item_counts AS (
  SELECT item, COUNT(*) AS n_systems_with_item
  FROM items
  GROUP BY item
),
system_counts AS (
  SELECT COUNT(*) AS n_systems
  FROM systems
)
SELECT item_counts.item, item_counts.n_systems_with_item, system_counts.n_systems
FROM item_counts
CROSS JOIN system_counts
WHERE item_counts.n_systems_with_item < system_counts.n_systems
