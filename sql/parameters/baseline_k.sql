-- baseline_k: the rank down to which the baseline counts; by default the cutoff.
--
-- range: integer [1, inf)
SELECT NULL AS baseline_k
