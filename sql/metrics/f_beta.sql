-- f_beta: weighted harmonic mean of precision and recall: (1 + beta^2) P R / (beta^2 P + R); 0 where nothing was found.
--
-- undefined: precision or recall is.
-- range: [0, 1]
-- aliases: F1
-- source: van Rijsbergen (1979), Information Retrieval, ch. 7
SELECT CASE WHEN n_hits = 0 THEN "precision" * recall ELSE
  (1 + $beta * $beta) * "precision" * recall / ($beta * $beta * "precision" + recall) END AS f_beta
FROM metrics
