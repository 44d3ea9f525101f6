-- list_diversity: mean dissimilarity of all pairs among the first k places, by a table of similarities.
--
-- Where both orders of a pair are given, their mean stands; where neither is, the similarity is 0,
-- and 1 of an item with itself.
-- undefined: the list holds fewer than two items.
-- range: [0, 1] while similarities are
-- aliases: ILD, intra_list_diversity
-- source: Smyth, McClave (2001), Similarity vs. diversity. doi:10.1007/3-540-44593-5_25
SELECT 1 - mean_similarity AS list_diversity
FROM metrics
