-- list_diversity: mean dissimilarity (1 - similarity) of all pairs among the first k recommendations, by a table of similarities.
--
-- If the table has both directions of a pair, their mean counts. If it has neither, the similarity is 0. The similarity of an
-- item and itself is 1, unless the table has it.
-- formula: 1 - \frac{2}{n (n - 1)} \sum_{i \lt j \le k} \mathrm{sim}_{ij}
-- subject: diversity
-- undefined: the list has fewer than two items.
-- range: [0, 1] if all similarities are between 0 and 1
-- aliases: ILD, intra_list_diversity
-- source: Smyth, McClave (2001), Similarity vs. diversity. doi:10.1007/3-540-44593-5_25
SELECT 1 - mean_similarity AS list_diversity
FROM metrics
