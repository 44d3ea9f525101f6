-- user_coverage: lists that hold an item, or k items, among the first k places.
--
-- range: [0, 1]; as a count, from 0
-- source: Ge, Delgado-Battenfeld, Jannach (2010), Beyond accuracy: evaluating recommender systems by coverage and serendipity. doi:10.1145/1864708.1864761
SELECT $unit AS user_coverage
FROM metrics
