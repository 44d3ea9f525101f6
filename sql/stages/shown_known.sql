-- shown_known: those of them whose item could be recommended.
SELECT shown.list_id, shown.item, shown.rank
FROM shown
JOIN known_items ON shown.item = known_items.item
