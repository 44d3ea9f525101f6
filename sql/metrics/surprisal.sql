-- surprisal: mean self-information of the first k recommendations: the fewer users have the item in their history, the higher.
--
-- formula: \frac{1}{n} \sum_{i=1}^{n} \frac{\log_2 \left(|U| / \max(u_i, 1)\right)}{\log_2 |U|}
-- subject: novelty
-- undefined: the divisor is 0 (for example the length of an empty list); with surprise=normalized, also if the history has only one user.
-- range: [0, inf); [0, 1] with surprise=normalized, if the divisor is not known and no popularity exceeds the number of users
-- aliases: self_information
-- source: Zhou et al. (2010), Solving the apparent diversity-accuracy dilemma of recommender systems. doi:10.1073/pnas.1000488107
SELECT surprises / NULLIF($divisor, 0) AS surprisal
FROM metrics
