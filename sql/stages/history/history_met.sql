-- history_met: the lists of the history that were recommended something.
SELECT history_lists.history_id
FROM history_lists
JOIN history_asked ON history_lists.history_id = history_asked.history_id
