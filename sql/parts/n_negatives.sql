-- n_negatives: number of catalogue items that are neither relevant nor in the history of the list, plus one, as Elliot counts.
--
-- range: (-inf, inf)
SELECT n_catalog_items - n_history - n_relevant + 1 AS n_negatives
FROM metrics
