-- seen: the places of a list whose item its owner knew before.
SELECT recommended.list_id, recommended.rank
FROM recommended
JOIN consumed ON recommended.history_id = consumed.history_id AND recommended.item = consumed.item
