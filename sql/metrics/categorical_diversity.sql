-- categorical_diversity: different categories among the first k places, per place.
--
-- An item without a category takes its place and adds none.
-- undefined: the divisor is 0, as the length of an empty list is.
-- range: [0, 1] while an item has one category
-- source: RePlay 0.22, replay.metrics.CategoricalDiversity
SELECT n_categories / CAST(NULLIF($divisor, 0) AS DOUBLE) AS categorical_diversity
FROM metrics
