-- lists: the lists that the means are taken over: every list of the history, for every system.
--
-- when: missing = history
SELECT history_lists.history_id, systems.system_id
FROM history_lists
CROSS JOIN systems
