-- category_recall: share of all categories of items that have a hit among the first k.
--
-- subtopic_recall divides by the subtopics of the list's own relevant items instead.
-- formula: \frac{1}{|\Gamma|} \left|\bigcup_{i \le k : \mathrm{hit}_i = 1} c_i\right|
-- subject: diversity
-- undefined: the list has no relevant items, or no item has a category.
-- range: [0, 1]
-- source: Elliot 0.3.1, SRecall
SELECT CASE WHEN n_relevant > 0 THEN n_hit_categories / CAST(NULLIF(n_item_categories, 0) AS DOUBLE) END AS category_recall
FROM metrics
