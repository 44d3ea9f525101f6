-- matches: one row per recommendation of a relevant item.
--
-- materialized: otherwise, DuckDB counts the recommendations before it joins them, which takes twice the work.
SELECT recommended.list_id, recommended.item, recommended.rank, relevant.rating
FROM recommended
JOIN relevant ON recommended.truth_id = relevant.truth_id AND recommended.item = relevant.item
