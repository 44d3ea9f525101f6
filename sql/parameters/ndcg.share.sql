-- share: the dcg that the dcg of the list is divided by.
SELECT
  ideal_dcg AS best, -- the dcg of the ideal list
  ideal_dcg_by_rank AS unweighted, -- the dcg of the ideal list, without the weights of a policy
  CASE WHEN n_relevant > 0 THEN discounts_to_k END AS full -- the dcg of k hits of gain 1, undefined if the list has no relevant items; needs a cutoff
FROM metrics
