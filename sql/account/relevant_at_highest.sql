-- relevant_at_highest: rows of the truth with a rating of at least the highest `rel` of the metrics
--
-- needs: rating
-- measured: rel
SELECT COUNT(*) AS relevant_at_highest
FROM relevant
