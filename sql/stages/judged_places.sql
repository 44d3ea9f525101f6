-- judged_places: the recommendations that the list's truth mentions, place by place.
SELECT recommended.list_id, recommended.rank
FROM recommended
JOIN judged ON recommended.truth_id = judged.truth_id AND recommended.item = judged.item
