-- shown_known: those of them whose item could be recommended.
SELECT shown.list_id, shown.item, shown.rank
FROM shown
JOIN known_items ON shown.fold_id = known_items.fold_id AND shown.item = known_items.item
