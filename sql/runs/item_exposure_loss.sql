-- item_exposure_loss: AI-F: distance of the mean exposure of items from the exposure that they should have: mean, over the items of the catalogue, of the square of the mean difference over the truth lists.
--
-- An item that some users see too much and others too little counts less than in expected_exposure_loss, which squares
-- the difference of each truth list. The exposures are those of that metric. A recommended item outside the catalogue
-- adds to the sum, too. AI-F as published has target
-- exposures of all ranks: for its numbers, recommend k items to each list, and leave out the cutoff.
-- subject: fairness
-- formula: \frac{1}{|C|} \sum_{x} \left(\frac{1}{|Q|} \sum_{q \in Q} (\epsilon_{qx} - \epsilon^{\ast}_{qx})\right)^2
-- undefined: no scored truth list has relevant items, or the catalogue has no items.
-- better: lower
-- range: [0, inf)
-- aliases: ai_f
-- source: Wu, Mitra, Ma, Diaz, Liu (2022), Joint multisided exposure fairness for recommendation. doi:10.1145/3477495.3532007
SELECT
  (squared_item_gaps + squared_unmet_item_targets)
    / NULLIF(CAST(n_targets AS DOUBLE) * n_targets * n_distinct_catalog_items, 0) AS item_exposure_loss
FROM runs
