-- perfect_novel_patience_gains: the novel patience gains of an endless list of items that are all relevant to every subtopic.
--
-- range: [0, inf)
SELECT n_subtopics / (1 - (1 - CAST($redundancy AS DOUBLE)) * $p) AS perfect_novel_patience_gains
FROM metrics
