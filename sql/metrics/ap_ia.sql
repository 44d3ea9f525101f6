-- ap_ia: intent-aware average precision: mean of the average precision over the subtopics. Its mean over lists is MAP-IA.
--
-- formula: \frac{1}{|Z|} \sum_{i=1}^{k} \sum_{z \in Z_i} \frac{m_{zi} + 1}{i \cdot \min(k, |R_z|)}
-- subject: subtopics
-- undefined: no subtopic of the list has relevant items.
-- range: [0, 1]
-- aliases: map_ia
-- source: R. Agrawal et al. (2009), Diversifying search results. doi:10.1145/1498759.1498766
SELECT subtopic_precisions / NULLIF(n_subtopics, 0) AS ap_ia
FROM metrics
