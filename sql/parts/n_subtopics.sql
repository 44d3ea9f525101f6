-- n_subtopics: number of subtopics of the list that have relevant items.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_subtopics
FROM subtopic_counts
