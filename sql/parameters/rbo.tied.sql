-- tied: how items with equal scores count, if scores order the recommendations.
SELECT
  extrapolated_agreements * (1 - $p) AS ranked, -- at their own ranks; the policy `ties` orders equal scores
  equal_agreements * (1 - $p) AS equal, -- at the first of their ranks, as equally good items (RBO^w)
  averaged_agreements * (1 - $p) AS averaged, -- each agreement averaged over the orders of equal scores (RBO^a); for lists of one length, the mean of rbo over these orders
  corrected_agreements * (1 - $p) AS corrected -- as averaged, and each agreement divided by the highest that lists with these ties can have (RBO^b)
FROM metrics
