-- sampled_relevant_in_history: one row per sampled list and relevant item that is also in the history of the list.
SELECT sampled_relevant.truth_id, sampled_relevant.item
FROM sampled_relevant
JOIN sampled_history_items
  ON sampled_relevant.truth_id = sampled_history_items.truth_id AND sampled_relevant.item = sampled_history_items.item
