-- matches: one row per recommendation of a relevant item.
--
-- If the query joins the recommendations with all judged items anyway, this saves a second join.
-- when: required judged_recommendations
SELECT list_id, item, rank, rating
FROM judged_recommendations
WHERE $relevance
