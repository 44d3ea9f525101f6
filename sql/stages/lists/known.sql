-- known: the lists that have recommendations, and whether the truth has them too.
SELECT presence.list_id, CASE WHEN truth_lists.truth_id IS NULL THEN 0 ELSE 1 END AS has_truth
FROM presence
LEFT JOIN truth_lists ON presence.truth_id = truth_lists.truth_id
