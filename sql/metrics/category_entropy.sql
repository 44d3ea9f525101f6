-- category_entropy: entropy of the category distribution of the first k recommendations, in bits.
--
-- An item counts in each of its categories. An item without a category is left out.
-- formula: -\sum_{c} q_c \log_2 q_c
-- subject: diversity
-- undefined: no item has a category.
-- range: [0, inf)
-- source: Shannon (1948), A mathematical theory of communication. doi:10.1002/j.1538-7305.1948.tb01338.x
SELECT $smoothing AS category_entropy
FROM weighted_category_totals
