-- divergence: how the two are compared.
SELECT
  kl_divergence AS kl, -- Kullback-Leibler divergence of the list, mixed with `alpha` of the history, from the history; in nats
  js_divergence AS js -- Jensen-Shannon divergence, in bits: 0 to 1
FROM metrics
