-- no_item_in_common: No recommended item is in the truth of any list.
--
-- The error shows items of both sides. Usually the model returns row numbers in place of item ids: map them back to
-- the ids.
--
-- n: the distinct recommended items.
-- needs: truth
-- samples: recs recommended_items, truth items_in_truth
-- order: 4
-- say: No item is in both the recommendations and the truth. Recommendations have {recs}; the truth has {truth}.
SELECT items_unjudged AS n
FROM account
WHERE items_unjudged = items_recommended AND items_recommended > 0 AND truth_lists > 0
