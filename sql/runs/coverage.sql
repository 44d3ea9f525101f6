-- coverage: catalogue coverage: different items among the first k places of all lists.
--
-- undefined: as a share, there is no item that could be recommended.
-- range: [0, 1]; a count, from 0; a percentage, from 0
-- aliases: catalog_coverage, item_coverage
-- source: Ge, Delgado-Battenfeld, Jannach (2010), Beyond accuracy: evaluating recommender systems by coverage and serendipity. doi:10.1145/1864708.1864761
SELECT $unit AS coverage
FROM runs
