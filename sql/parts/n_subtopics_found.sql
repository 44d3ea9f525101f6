-- n_subtopics_found: number of subtopics that have a hit among the first k.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN hit_number = 1 THEN 1 END) AS n_subtopics_found
FROM subtopic_hits
WHERE rank <= $k
