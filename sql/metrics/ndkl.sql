-- ndkl: normalized discounted KL divergence: mean, over the prefixes of the first k recommendations, of the divergence between the categories of the prefix and the shares that they should have.
--
-- The discount of the last rank of a prefix is its weight. By default, a category should have its share of the catalogue.
-- An item without a category, or outside the catalogue, is left out, and so is the prefix that it ends.
-- formula: \frac{1}{\sum_{i=1}^{k} d_i} \sum_{i=1}^{k} d_i \sum_{c} q_{c,i} \ln \frac{q_{c,i}}{t_c}
-- subject: fairness
-- undefined: no recommended item of the catalogue has a category.
-- better: lower
-- range: [0, inf)
-- aliases: normalized_discounted_kl
-- source: Geyik, Ambler, Kenthapadi (2019), Fairness-aware ranking in search and recommendation systems with application to LinkedIn talent search. doi:10.1145/3292500.3330691
SELECT SUM($discount * (information / n_items - LN(n_items))) / NULLIF(SUM($discount), 0) AS ndkl
FROM prefix_information
WHERE rank <= $k
