-- alpha_dcg: discounted cumulative gain over subtopics: a hit is worth less for each earlier hit of the same subtopic.
--
-- ndeval leaves out the divisor at the cutoff 1; this metric does not.
-- formula: \frac{\sum_{i=1}^{k} d_i \sum_{z \in Z_i} (1 - \alpha)^{m_{zi}}}{|Z| \sum_{i=1}^{k} d_i (1 - \alpha)^{i-1}}
-- subject: subtopics
-- undefined: no subtopic of the list has relevant items.
-- range: [0, 1]; [0, inf) with of=one
-- cutoff: needed
-- source: C. L. A. Clarke et al. (2008), Novelty and diversity in information retrieval evaluation. doi:10.1145/1390334.1390446; ndeval 4.5 of TREC's Web track
SELECT CASE WHEN n_subtopics > 0 THEN novel_gains / NULLIF($of, 0) END AS alpha_dcg
FROM metrics
