-- lists: whom the mean is taken over: every list of the baseline, for every system.
--
-- when: missing = baseline
SELECT baseline_lists.baseline_id, systems.system_id
FROM baseline_lists
CROSS JOIN systems
