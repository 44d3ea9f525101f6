-- lists_without_negatives: Some lists have no candidate beside the items of their truth.
--
-- A list of relevant items alone ranks each of them first. Add candidates, or a larger catalogue, or leave these
-- lists out of the truth. See [Sampled evaluation](sampled.md).
--
-- rows: lists without negatives
-- of: recs
-- needs: negatives
-- order: 25
-- say: {n: list has; lists have} no candidate beside the items of the truth and of the history, such as {recs}.
--    Among relevant items alone, each item ranks first. Add candidates for each list of the truth, or items to the
--    {catalog=}, or leave these lists out of the truth.
SELECT list_id
FROM list_negative_counts
WHERE n_negatives = 0
