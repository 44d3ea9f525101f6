-- alpha_ndcg: alpha_dcg as a share of that of an ideal list, which puts at each rank the item that adds most to the items above.
--
-- The best list of all is hard to find, so this greedy list stands for it, as in ndeval; a list may be better by a little.
-- formula: \frac{\sum_{i=1}^{k} d_i \sum_{z \in Z_i} (1 - \alpha)^{m_{zi}}}{\sum_{i=1}^{k} d_i \sum_{z \in Z^{\ast}_i} (1 - \alpha)^{m^{\ast}_{zi}}}
-- subject: subtopics
-- undefined: no subtopic of the list has relevant items.
-- range: [0, inf)
-- cutoff: needed
-- source: C. L. A. Clarke et al. (2008), Novelty and diversity in information retrieval evaluation. doi:10.1145/1390334.1390446; ndeval 4.5 of TREC's Web track
SELECT novel_gains / NULLIF(ideal_novel_gains, 0) AS alpha_ndcg
FROM metrics
