-- sampled_known: the relevant items of the sampled lists that their owner knew before.
SELECT sampled_relevant.truth_id, sampled_relevant.item
FROM sampled_relevant
JOIN sampled_consumed
  ON sampled_relevant.truth_id = sampled_consumed.truth_id AND sampled_relevant.item = sampled_consumed.item
