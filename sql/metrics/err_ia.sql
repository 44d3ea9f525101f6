-- err_ia: intent-aware expected reciprocal rank: for each subtopic, 1 / rank of the hit at which a reader stops, who stops at a hit with probability `redundancy`.
--
-- ndeval leaves out the divisor at the cutoff 1; this metric does not.
-- formula: \frac{\sum_{i=1}^{k} \frac{1}{i} \sum_{z \in Z_i} (1 - \alpha)^{m_{zi}}}{|Z| \sum_{i=1}^{k} \frac{1}{i} (1 - \alpha)^{i-1}}
-- subject: subtopics
-- undefined: no subtopic of the list has relevant items.
-- range: [0, 1]; [0, inf) with of=ideal
-- cutoff: needed
-- source: O. Chapelle et al. (2011), Intent-based diversification of web search results: metrics and algorithms. doi:10.1007/s10791-011-9167-7; ndeval 4.5 of TREC's Web track
SELECT CASE WHEN n_subtopics > 0 THEN $of END AS err_ia
FROM metrics
