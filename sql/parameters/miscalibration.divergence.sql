-- divergence: the divergence of the two category distributions.
SELECT
  kl_divergence AS kl, -- Kullback-Leibler divergence KL(history || list), with `alpha` of the history mixed into the list; in nats
  js_divergence AS js -- Jensen-Shannon divergence, in bits: 0 to 1
FROM metrics
