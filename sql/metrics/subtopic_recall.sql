-- subtopic_recall: share of the subtopics that have a hit among the first k.
--
-- formula: \frac{1}{|Z|} \left|\bigcup_{i=1}^{k} Z_i\right|
-- subject: subtopics
-- undefined: no subtopic of the list has relevant items.
-- range: [0, 1]
-- aliases: strec, StRecall, s_recall
-- source: C. Zhai, W. W. Cohen, J. Lafferty (2003), Beyond independent relevance: methods and evaluation metrics for subtopic retrieval. doi:10.1145/860435.860440
SELECT n_subtopics_found / CAST(NULLIF(n_subtopics, 0) AS DOUBLE) AS subtopic_recall
FROM metrics
