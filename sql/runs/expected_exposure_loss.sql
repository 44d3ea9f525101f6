-- expected_exposure_loss: EE-L: distance between the exposure that a system of random rankings gives the items, and the exposure that they should have: sum over items of the square of the difference, mean over the truth lists.
--
-- A system that draws a new list each time gives every item an exposure: the mean, over the draws, of the attention of its
-- rank. The draws of a truth list are its lists in one row of the summary: keep the number of the draw in a list column,
-- as user and draw, and name the systems with by=, or by=[]. Relevant items of the
-- same merit should have the same exposure: the mean attention of their ranks in the ideal list. Other items should have none.
-- With per=item, a recommended item outside the catalogue adds to the sum, too. II-F as published has target exposures
-- of all ranks: for its numbers, recommend k items to each list, and leave out the cutoff.
-- subject: fairness
-- formula: \frac{1}{|Q|} \sum_{q \in Q} \sum_{x} (\epsilon_{qx} - \epsilon^{\ast}_{qx})^2
-- undefined: no scored truth list has relevant items; with per=item, also if the catalogue has no items.
-- better: lower
-- range: [0, inf)
-- aliases: ee_l, expected_exposure_l
-- source: Diaz, Mitra, Ekstrand, Biega, Carterette (2020), Evaluating stochastic rankings with expected exposure. doi:10.1145/3340531.3411962; per item: Wu, Mitra, Ma, Diaz, Liu (2022), Joint multisided exposure fairness for recommendation. doi:10.1145/3477495.3532007
SELECT (squared_differences + squared_unmet_targets) / NULLIF($per, 0) AS expected_exposure_loss
FROM runs
