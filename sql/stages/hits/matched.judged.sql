-- matched: the recommendations of relevant items, of those that the truth mentions.
--
-- Where what the truth mentions is joined anyway, the recommendations are joined once.
-- when: required judged_places
SELECT list_id, item, rank, rating
FROM judged_places
WHERE $relevance
