-- tied: the rank at which a hit counts if other items of the list have the same score.
SELECT
  dcg_by_rank AS ranked, -- its own rank; the policy `ties` orders equal scores
  dcg_over_ties AS averaged -- the mean over all ranks of the items with this score, which is the mean over all their orders (scikit-learn)
FROM metrics
