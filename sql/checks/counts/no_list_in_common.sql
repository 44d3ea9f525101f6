-- no_list_in_common: Fewer than 1 % of the lists are in both the recommendations and the truth.
--
-- The share is a share of the input with fewer lists. If it is so small, the ids of the inputs differ in form, and a
-- few match by chance.
--
-- The error shows ids of both sides.
--
-- - The ids are written in two forms, such as `u1` and `1`, or were renumbered: map them to the same ids.
-- - The inputs are for other users or another day: select the same ones.
-- - The wrong column identifies the lists: name the right one with `lists=`.
--
-- n: the lists of this input that the other input does not have.
-- needs: truth
-- samples: recs recommended_truth_lists, truth truth_lists
-- order: 3
-- say: {truth_lists_met: No list is; Only # list is; Only # lists are} in both the recommendations and the truth,
--    which share {shared truth}. Recommendations have {recs}; the truth has {truth}.
SELECT LEAST(truth_lists, truth_lists_asked) - truth_lists_met AS n
FROM account
WHERE truth_lists_met * 100 < LEAST(truth_lists, truth_lists_asked)
