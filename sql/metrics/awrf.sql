-- awrf: attention-weighted rank fairness: distance between the shares of attention that the categories have among the first k recommendations, and the shares that they should have.
--
-- The attention of a rank is its discount, or, with attention=cascade, its discount times the share of the readers who get
-- there. By default, a category should have its share of the catalogue. An item without a category, or outside the
-- catalogue, is left out.
-- formula: \frac{1}{2} \sum_{c} |a_c - t_c|
-- subject: fairness
-- undefined: no recommended item of the catalogue has a category; with attention=cascade, also if a hit has a rating above max_rating.
-- better: lower
-- range: [0, 1]
-- aliases: attention_weighted_rank_fairness
-- source: Sapiezynski, Zeng, Robertson, Mislove, Wilson (2019), Quantifying the impact of user attention on fair group representation in ranked lists. doi:10.1145/3308560.3317595
SELECT $distance AS awrf
FROM list_attention_targets
