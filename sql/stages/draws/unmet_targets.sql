-- unmet_targets: one row per system, truth list and relevant item that no draw recommends, with the exposure that it should have.
SELECT draws_with_target.truth_id, draws_with_target.by_id, target_exposures.target
FROM draws_with_target
JOIN target_exposures ON draws_with_target.truth_id = target_exposures.truth_id
LEFT JOIN summed_exposures
  ON draws_with_target.truth_id = summed_exposures.truth_id AND draws_with_target.by_id = summed_exposures.by_id
  AND target_exposures.item = summed_exposures.item
WHERE summed_exposures.exposure IS NULL
