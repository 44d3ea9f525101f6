-- rmse: square root of the mean squared error of predicted ratings.
--
-- formula: \sqrt{\frac{1}{|P|} \sum_{(s, x) \in P} (\hat{y}_{sx} - y_{sx})^2}
-- subject: ratings
-- undefined: no item has both a score and a rating.
-- better: lower
-- range: [0, inf)
-- aliases: root_mean_squared_error
-- source: Herlocker et al. (2004), Evaluating collaborative filtering recommender systems. doi:10.1145/963770.963772
SELECT SQRT(mse) AS rmse
FROM runs
