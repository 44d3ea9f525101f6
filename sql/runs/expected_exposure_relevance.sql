-- expected_exposure_relevance: EE-R: how much exposure relevant items get: sum over relevant items of their exposure times the exposure that they should have, mean over the truth lists.
--
-- A system that draws a new list each time gives every item an exposure: the mean, over the draws, of the attention of its
-- rank. The draws of a truth list are its lists in one row of the summary: keep the number of the draw in a list column,
-- as user and draw, and name the systems with by=, or by=[]. A relevant item should
-- have the mean attention of the ranks, in the ideal list, of all items of its merit.
-- subject: fairness
-- formula: \frac{1}{|Q|} \sum_{q \in Q} \sum_{x \in R_q} \epsilon_{qx} \epsilon^{\ast}_{qx}
-- undefined: no scored truth list has relevant items.
-- range: [0, inf)
-- aliases: ee_r, expected_exposure_r
-- source: Diaz, Mitra, Ekstrand, Biega, Carterette (2020), Evaluating stochastic rankings with expected exposure. doi:10.1145/3340531.3411962
SELECT matched_exposures / NULLIF(n_targets, 0) AS expected_exposure_relevance
FROM runs
