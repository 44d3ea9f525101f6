-- ips: expected reward of a policy by inverse propensity scoring: rewards of the log, each weighted by the importance of the logged actions.
--
-- Importance is the probability of an action under the policy, divided by its propensity. `interaction` says which actions of an
-- impression a reward depends on: itself (independent IPS), those down to it (reward interaction IPS), all (standard IPS), or all,
-- one by one (pseudoinverse). The mean of several impressions of a list is its value.
-- formula: \frac{1}{V} \sum_{v=1}^{V} \sum_{i=1}^{k} \omega_{vi} \lambda_i y_{vi}
-- subject: log
-- undefined: the log does not have the list.
-- range: (-inf, inf)
-- aliases: inverse_propensity_scoring, ipw
-- source: D. G. Horvitz, D. J. Thompson, "A Generalization of Sampling Without Replacement From a Finite Universe" (1952), doi:10.1080/01621459.1952.10483446; S. Li et al., "Offline Evaluation of Ranking Policies with Click Models" (2018), doi:10.1145/3219819.3220028; J. McInerney et al., "Counterfactual Evaluation of Slate Recommendations with Sequential Reward Interactions" (2020), doi:10.1145/3394486.3403229; A. Swaminathan et al., "Off-policy evaluation for slate recommendation" (2017).
SELECT weighted_rewards / CAST(NULLIF(n_impressions_logged, 0) AS DOUBLE) AS ips
FROM metrics
