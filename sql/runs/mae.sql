-- mae: mean absolute error of predicted ratings: the scores, compared with the ratings of the truth.
--
-- The mean is over all pairs of a list and an item that have a score and a rating. It says nothing about the order of the
-- items. A repeated item counts once, with its highest score.
-- formula: \frac{1}{|P|} \sum_{(s, x) \in P} |\hat{y}_{sx} - y_{sx}|
-- subject: ratings
-- undefined: no item has both a score and a rating.
-- better: lower
-- range: [0, inf)
-- aliases: mean_absolute_error
-- source: Herlocker et al. (2004), Evaluating collaborative filtering recommender systems. doi:10.1145/963770.963772
SELECT SUM(absolute_errors) / NULLIF(SUM(n_predictions), 0) AS mae
FROM metrics
