-- matches: the recommendations of relevant items.
--
-- If the query joins recommendations with all judged items anyway, a second join is saved.
-- when: required judged_recommendations
SELECT list_id, item, rank, rating
FROM judged_recommendations
WHERE $relevance
