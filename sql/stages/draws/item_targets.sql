-- item_targets: one row per system and relevant item, with the sum of the exposures that it should have, over the truth lists.
SELECT draws_with_target.by_id, target_exposures.item, SUM(target_exposures.target) AS target
FROM draws_with_target
JOIN target_exposures ON draws_with_target.truth_id = target_exposures.truth_id
GROUP BY draws_with_target.by_id, target_exposures.item
