-- n_negatives: items that could be recommended and are neither relevant nor known to the list's owner; one more, as Elliot counts.
--
-- range: (-inf, inf)
SELECT n_catalog_items - n_history - n_relevant + 1 AS n_negatives
FROM metrics
