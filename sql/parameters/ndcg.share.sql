-- share: what dcg is a share of.
SELECT
  ideal_dcg AS best, -- the best list there is
  CASE WHEN n_relevant > 0 THEN discounts_to_k END AS full -- a list with a relevant item, worth 1, at each of the first k places; needs a cutoff
FROM metrics
