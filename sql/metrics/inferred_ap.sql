-- inferred_ap: inferred average precision, for a truth that judges only a sample of its items: mean, over the relevant items, of the expected precision at the rank of each.
--
-- The items of the truth are the pool. With judged=from_zero, an item with a negative rating is in the pool but not judged.
-- The share of relevant items above a hit is estimated from the judged items there; items outside the pool count as irrelevant.
-- A relevant item that is not recommended adds 0.
-- formula: \frac{1}{|R|} \sum_{i=1}^{k} \frac{\mathrm{hit}_i}{i}
--   \left(1 + l_i \frac{h_i - 1 + 10^{-5}}{h_i - 1 + a_i + 2 \cdot 10^{-5}}\right)
-- subject: rank
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- aliases: infAP
-- source: Yilmaz, Aslam (2006), Estimating average precision with incomplete and imperfect judgments. doi:10.1145/1183614.1183633
SELECT inferred_precisions / NULLIF(n_relevant, 0) AS inferred_ap
FROM metrics
