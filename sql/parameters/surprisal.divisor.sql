-- divisor: the number that the sum of the self-information is divided by.
SELECT
  n_recommended AS list, -- the number of recommendations, at most k
  COALESCE($k, n_recommended) AS k, -- the cutoff; without a cutoff, the length of the list
  n_with_popularity AS known -- the recommendations among the first k that a user has in the history (evidently)
FROM metrics
