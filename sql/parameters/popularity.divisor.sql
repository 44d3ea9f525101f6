-- divisor: the number that the sum of the popularity is divided by.
SELECT
  n_recommended AS list, -- the number of recommendations, at most k
  n_with_popularity AS known -- the recommendations among the first k that have a popularity (evidently)
FROM metrics
