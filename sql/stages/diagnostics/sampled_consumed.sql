-- sampled_consumed: what the owners of the sampled lists knew before, each item once.
SELECT DISTINCT presence.truth_id, history.item
FROM presence
JOIN sampled_lists ON presence.truth_id = sampled_lists.truth_id
JOIN history ON presence.history_id = history.history_id
WHERE history.item IS NOT NULL
