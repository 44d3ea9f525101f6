-- nrbp: novelty- and rank-biased precision: rank-biased precision over subtopics, where a hit is worth less for each earlier hit of the same subtopic.
--
-- ndeval has p=0.5; its nNRBP is of=ideal, down to a cutoff.
-- formula: \frac{1 - (1 - \alpha) p}{|Z|} \sum_{i=1}^{k} p^{i-1} \sum_{z \in Z_i} (1 - \alpha)^{m_{zi}}
-- subject: subtopics
-- undefined: no subtopic of the list has relevant items.
-- range: [0, 1]; [0, inf) with of=ideal
-- source: C. L. A. Clarke, M. Kolla, O. Vechtomova (2009), An effectiveness measure for ambiguous and underspecified queries. doi:10.1007/978-3-642-04417-5_17
SELECT novel_patience_gains / NULLIF($of, 0) AS nrbp
FROM metrics
