-- catalog_item_counts: one row per system, with the number of distinct items that could be recommended.
--
-- The condition always holds. Without it, where a row of the summary is all lists, no column of the lists would be read.
SELECT fold_list_counts.by_id, COUNT(DISTINCT catalog_items.item) AS n_items
FROM fold_list_counts
JOIN catalog_items ON fold_list_counts.fold_id = catalog_items.fold_id
WHERE fold_list_counts.n_lists > 0
GROUP BY fold_list_counts.by_id
