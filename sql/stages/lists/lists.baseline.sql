-- lists: the lists that the means are taken over: every list of the baseline, for every system.
--
-- when: missing = baseline
SELECT baseline_lists.baseline_id, systems.system_id
FROM baseline_lists
CROSS JOIN systems
