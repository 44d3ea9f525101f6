-- met: the lists that are in both the recommendations and the truth, as the truth knows them.
SELECT asked.truth_id
FROM asked
JOIN truth_lists ON asked.truth_id = truth_lists.truth_id
