-- lists: the lists that the means are taken over: every list of the truth, for every system.
--
-- when: missing = zero
SELECT truth_lists.truth_id, systems.system_id
FROM truth_lists
CROSS JOIN systems
