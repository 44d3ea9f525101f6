-- tied: what place a hit counts at whose score other items of the list have, too.
SELECT
  dcg_by_rank AS ranked, -- its rank, as `ties` orders equal scores
  dcg_over_ties AS averaged -- all places that the equal scores take, in equal parts: the mean over all their orders (scikit-learn)
FROM metrics
