-- gauc: group AUC: mean, over the relevant items, of the share of irrelevant items of the catalogue that stand below; one not found scores 0.
--
-- The irrelevant items are those of the catalogue that the list's owner did not know before, and one more, as Elliot counts.
-- The sum counts: the relevant items, and what the owner knew, are taken to be different items of the catalogue.
-- undefined: nothing is relevant, or the catalogue has fewer items than are relevant and known.
-- range: [0, 1] where they are, and a list holds items of the catalogue that its owner did not know, each once
-- aliases: group_auc
-- source: Zhu et al. (2017), Optimized cost per click in Taobao display advertising. doi:10.1145/3097983.3098134
SELECT CASE WHEN n_relevant > 0 THEN shares_below_hits / NULLIF($divisor, 0) END AS gauc
FROM metrics
