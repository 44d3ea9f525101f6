-- baseline_met: the lists of the baseline that were recommended something.
SELECT baseline_lists.baseline_id
FROM baseline_lists
JOIN baseline_asked ON baseline_lists.baseline_id = baseline_asked.baseline_id
