-- precision_ia: intent-aware precision: mean, over the subtopics, of the share of the first k positions that hold an item relevant to it.
--
-- formula: \frac{1}{|Z|} \sum_{i=1}^{k} \frac{|Z_i|}{k}
-- subject: subtopics
-- undefined: no subtopic has relevant items; without a cutoff, also if the list is empty.
-- range: [0, 1]
-- aliases: p_ia
-- source: R. Agrawal et al. (2009), Diversifying search results. doi:10.1145/1498759.1498766
SELECT CAST(n_subtopic_hits AS DOUBLE) / NULLIF(COALESCE($k, n_recommended) * n_subtopics, 0) AS precision_ia
FROM metrics
