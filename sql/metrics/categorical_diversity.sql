-- categorical_diversity: number of distinct categories among the first k recommendations, divided by the number of recommendations.
--
-- An item without a category adds no category, but counts in the divisor.
-- formula: \frac{1}{n} \left|\bigcup_{i=1}^{k} c_i\right|
-- subject: diversity
-- undefined: the divisor is 0 (for example the length of an empty list).
-- range: [0, 1] if each item has one category
-- source: RePlay 0.22, replay.metrics.CategoricalDiversity
SELECT n_categories / CAST(NULLIF($divisor, 0) AS DOUBLE) AS categorical_diversity
FROM metrics
