-- divergence: how the two are compared.
SELECT
  surprise_of_list AS kl, -- Kullback-Leibler divergence of the list, mixed with `alpha` of the history, from the history; in nats
  divergence_of_list AS js -- Jensen-Shannon divergence, in bits: 0 to 1
FROM metrics
