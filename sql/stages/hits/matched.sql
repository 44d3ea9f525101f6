-- matched: the recommendations of relevant items.
--
-- materialized: DuckDB would count the recommendations before it joins them, at twice the work.
SELECT recommended.list_id, recommended.item, recommended.rank, relevant.rating
FROM recommended
JOIN relevant ON recommended.truth_id = relevant.truth_id AND recommended.item = relevant.item
