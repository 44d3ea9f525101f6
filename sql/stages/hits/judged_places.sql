-- judged_places: the recommendations that the list's truth mentions, place by place.
--
-- materialized: DuckDB would count the recommendations before it joins them, at twice the work.
SELECT recommended.list_id, recommended.item, recommended.rank, judged.rating
FROM recommended
JOIN judged ON recommended.truth_id = judged.truth_id AND recommended.item = judged.item
