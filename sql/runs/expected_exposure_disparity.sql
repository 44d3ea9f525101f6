-- expected_exposure_disparity: EE-D: how unequal the exposure of items is that a system of random rankings gives: sum over items of the square of their exposure, mean over the truth lists.
--
-- A system that draws a new list each time gives every item an exposure: the mean, over the draws, of the attention of its
-- rank. The draws of a truth list are its lists in one row of the summary: keep the number of the draw in a list column,
-- as user and draw, and name the systems with by=, or by=[]. A system that always
-- returns the same list has the highest disparity, and one that shuffles all items the lowest.
-- subject: fairness
-- formula: \frac{1}{|Q|} \sum_{q \in Q} \sum_{x} \epsilon_{qx}^2
-- undefined: no scored truth list has relevant items.
-- better: lower
-- range: [0, inf)
-- aliases: ee_d, expected_exposure_d
-- source: Diaz, Mitra, Ekstrand, Biega, Carterette (2020), Evaluating stochastic rankings with expected exposure. doi:10.1145/3340531.3411962
SELECT squared_exposures / NULLIF(n_targets, 0) AS expected_exposure_disparity
FROM runs
