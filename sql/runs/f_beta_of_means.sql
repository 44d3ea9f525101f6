-- f_beta_of_means: weighted harmonic mean of the mean precision and the mean recall of the lists; 0 if both are 0.
--
-- The mean of f_beta is another number: f_beta combines the precision and the recall of each list. Lists without relevant items
-- do not count, unless over=all. The precision of an empty list is 0.
-- subject: hits
-- formula: \frac{1}{|S|} \cdot \frac{
--   (1 + \beta^2) \left(\sum_{s \in S} \mathrm{precision}\right) \left(\sum_{s \in S} \mathrm{recall}\right)
--   }{\beta^2 \sum_{s \in S} \mathrm{precision} + \sum_{s \in S} \mathrm{recall}}
-- undefined: no list has relevant items.
-- range: [0, 1]
-- source: Opitz, Burst (2019), Macro F1 and Macro F1. arXiv:1911.03347
SELECT CASE
  WHEN SUM(CASE WHEN n_relevant > 0 THEN n_hits END) = 0 THEN CAST(0 AS DOUBLE)
  ELSE (1 + $beta * $beta)
    * SUM(CASE WHEN n_relevant > 0 THEN COALESCE(n_hits / CAST(NULLIF($divisor, 0) AS DOUBLE), 0) END)
    * SUM(n_hits / CAST(NULLIF(n_relevant, 0) AS DOUBLE))
    / $over
    / (
      $beta * $beta * SUM(CASE WHEN n_relevant > 0 THEN COALESCE(n_hits / CAST(NULLIF($divisor, 0) AS DOUBLE), 0) END)
      + SUM(n_hits / CAST(NULLIF(n_relevant, 0) AS DOUBLE))
    )
END AS f_beta_of_means
FROM metrics
