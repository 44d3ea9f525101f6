-- n_targets: number of scored truth lists with relevant items.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_targets
FROM draws_with_target
