-- multi_logger_ips: expected reward of a policy from the logs of several old policies: ips by each of them, weighted by their precision.
--
-- Precision is the number of lists divided by the variance of their values, so an old policy that shows what the new one shows counts
-- more. A logger with one list, or with equal values of all lists, has none, and is left out. Right on average if the loggers had the
-- same kind of users.
-- formula: \frac{\sum_{\ell \in \Lambda} \frac{|S_{\ell}|}{\sigma_{\ell}^2} \mathrm{ips}_{\ell}}{\sum_{\ell \in \Lambda} \frac{|S_{\ell}|}{\sigma_{\ell}^2}}
-- undefined: no logger has two lists with different values.
-- subject: log
-- error: multi_logger_ips_error
-- range: (-inf, inf)
-- aliases: multiple_importance_sampling
-- source: A. Agarwal, S. Basu, T. Schnabel, T. Joachims, "Effective Evaluation using Logged Bandit Feedback from Multiple Loggers" (2017), arXiv:1703.06180, the weighted estimator.
SELECT precise_estimates / NULLIF(logger_precisions, 0) AS multi_logger_ips
FROM runs
