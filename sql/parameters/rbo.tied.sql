-- tied: how items with equal scores count, if scores order the list.
SELECT
  extrapolated_agreements * (1 - $p) AS ranked, -- at their own ranks; the policy `ties` orders equal scores
  equal_agreements * (1 - $p) AS equal, -- all at the first of their ranks, because they are equally good (RBO^w)
  averaged_agreements * (1 - $p) AS averaged, -- the mean over all orders of equal scores (RBO^a)
  corrected_agreements * (1 - $p) AS corrected -- this mean, as a share of the highest value that lists with these ties can have (RBO^b)
FROM metrics
