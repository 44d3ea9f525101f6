-- subtopic_precisions: sum, over the hits of all subtopics, of the precision for the subtopic at the rank of the hit, divided by the most hits that the subtopic can have.
--
-- range: [0, inf)
SELECT COALESCE(SUM(CAST(hit_number AS DOUBLE) / rank / LEAST($k, n_relevant)), 0) AS subtopic_precisions
FROM subtopic_hits_with_count
WHERE rank <= $k
