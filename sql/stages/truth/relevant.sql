-- relevant: the rows of the truth with a relevant rating.
SELECT truth_id, item, rating
FROM judgments
WHERE $relevance
