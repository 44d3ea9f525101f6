-- mean_exposures: one row per system, truth list with relevant items and recommended item, with its mean exposure over the draws, and the exposure that it should have.
SELECT
  summed_exposures.truth_id, summed_exposures.by_id, summed_exposures.item,
  summed_exposures.exposure / draws_with_target.n_draws AS exposure,
  COALESCE(target_exposures.target, 0) AS target
FROM summed_exposures
JOIN draws_with_target
  ON summed_exposures.truth_id = draws_with_target.truth_id AND summed_exposures.by_id = draws_with_target.by_id
LEFT JOIN target_exposures
  ON summed_exposures.truth_id = target_exposures.truth_id AND summed_exposures.item = target_exposures.item
