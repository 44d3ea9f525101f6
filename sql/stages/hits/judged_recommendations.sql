-- judged_recommendations: one row per recommendation whose item is in the truth of the list, relevant or not.
--
-- materialized: otherwise, DuckDB counts the recommendations before it joins them, which takes twice the work.
SELECT recommended.list_id, recommended.item, recommended.rank, distinct_judgments.rating
FROM recommended
JOIN distinct_judgments ON recommended.truth_id = distinct_judgments.truth_id AND recommended.item = distinct_judgments.item
