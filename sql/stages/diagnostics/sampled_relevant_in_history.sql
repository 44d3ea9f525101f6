-- sampled_relevant_in_history: the relevant items of the sampled lists that are also in the history of the same list.
SELECT sampled_relevant.truth_id, sampled_relevant.item
FROM sampled_relevant
JOIN sampled_history_items
  ON sampled_relevant.truth_id = sampled_history_items.truth_id AND sampled_relevant.item = sampled_history_items.item
