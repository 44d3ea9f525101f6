-- expected_exposure_loss: EE-L: distance between the exposure that a system of random rankings gives the items, and the exposure that they should have: sum over items of the square of the difference, mean over the truth lists.
--
-- A system that draws a new list each time gives every item an exposure: the mean, over the draws, of the attention of its
-- rank. The draws of a truth list are its lists in one row of the summary: keep the number of the draw in a list column,
-- as user and draw, and name the systems with by=, or by=[]. Relevant items of the
-- same merit should have the same exposure: the mean attention of their ranks in the ideal list. Other items should have none.
-- formula: \frac{1}{|Q|} \sum_{q \in Q} \sum_{x} (\epsilon_{qx} - \epsilon^{\ast}_{qx})^2
-- undefined: no scored truth list has relevant items.
-- better: lower
-- range: [0, inf)
-- aliases: ee_l, expected_exposure_l
-- source: Diaz, Mitra, Ekstrand, Biega, Carterette (2020), Evaluating stochastic rankings with expected exposure. doi:10.1145/3340531.3411962
SELECT (squared_differences + squared_unmet_targets) / NULLIF(n_targets, 0) AS expected_exposure_loss
FROM runs
