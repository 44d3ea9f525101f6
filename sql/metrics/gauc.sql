-- gauc: group AUC: mean, over the relevant items, of the share of the irrelevant items of the catalogue that rank below it.
--
-- A relevant item that is not recommended adds 0.
-- The irrelevant items are the items of the catalogue that are neither relevant nor in the history of the list, plus one more,
-- as Elliot counts them. Their number is a difference of counts. So it assumes that the catalogue has all relevant items and
-- all items of the history, and that no item is both.
-- formula: \frac{1}{|R|} \sum_{i=1}^{k} \mathrm{hit}_i \left(1 - \frac{\sum_{j=1}^{i-1} (1 - \mathrm{hit}_j)}{|C| - |H| - |R| + 1}\right)
-- subject: classification
-- undefined: the list has no relevant items, or the catalogue has fewer items than the truth and the history of the list together.
-- range: [0, 1] if this assumption holds, and the list holds items of the catalogue that are not in its history, each once
-- aliases: group_auc
-- source: Zhu et al. (2017), Optimized cost per click in Taobao display advertising. doi:10.1145/3097983.3098134
SELECT CASE WHEN n_relevant > 0 THEN shares_below_hits / NULLIF($divisor, 0) END AS gauc
FROM metrics
