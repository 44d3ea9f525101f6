-- replay: mean reward of the logged actions that the policy takes, too, each weighted by the probability that it takes them.
--
-- Right if every action had the same propensity.
-- formula: \frac{\sum_{s \in S} \sum_{v=1}^{V} \sum_{i=1}^{k} \pi_i(a_{vi}) \lambda_i y_{vi}}{\sum_{s \in S} \sum_{v=1}^{V} \sum_{i=1}^{k} \pi_i(a_{vi})}
-- undefined: the policy takes no logged action.
-- subject: log
-- error: replay_error
-- range: (-inf, inf)
-- source: L. Li et al., "Unbiased offline evaluation of contextual-bandit-based news article recommendation algorithms" (2011), doi:10.1145/1935826.1935878
SELECT SUM(matched_rewards) / NULLIF(SUM(matches), 0) AS replay
FROM metrics
