-- expected_subtopic_stops: sum, over the subtopics, of the expected 1 / rank of the hit at which a reader stops, who stops at a hit with probability `redundancy`.
--
-- range: [0, inf)
SELECT CAST($redundancy AS DOUBLE) * novel_reciprocal_ranks AS expected_subtopic_stops
FROM metrics
