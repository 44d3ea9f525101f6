-- popularity_serendipity: mean over the first k recommendations of how much higher a relevant item ranks in the list than by popularity.
--
-- A hit counts the positions by which the list ranks it above its popularity rank, divided by the size of the catalogue; 0 if
-- the list ranks it lower. All other recommendations count 0. Equally popular items share a popularity rank, and the next
-- popularity has the next rank. An item without a popularity has the last rank: the size of the catalogue + 1. RecTools 0.19 has
-- this metric as Serendipity.
-- formula: \frac{1}{n |C|} \sum_{i=1}^{k} \mathrm{hit}_i \cdot \max(0, o_i - i)
-- subject: novelty
-- undefined: the list is empty, or the catalogue is empty.
-- range: [0, 1] if the catalogue has every item with a popularity
-- source: Murakami, Mori, Orihara (2008), Metrics for evaluating the serendipity of recommendation lists. doi:10.1007/978-3-540-78197-4_5
SELECT leads_over_popularity / NULLIF(CAST(n_recommended AS DOUBLE) * n_catalog_items, 0) AS popularity_serendipity
FROM metrics
