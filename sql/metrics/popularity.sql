-- popularity: mean popularity of the first k places: how many users of the history know the item.
--
-- An item that nobody knows has popularity 0.
-- undefined: the list is empty.
-- better: neither
-- range: [0, inf)
-- aliases: ARP, average_popularity
-- source: Abdollahpouri, Burke, Mobasher (2019), Managing popularity bias in recommender systems with personalized re-ranking. arXiv:1901.07555
SELECT popularities / NULLIF(n_recommended, 0) AS popularity
FROM metrics
