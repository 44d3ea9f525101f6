-- multi_logger_ips_error: standard error of multi_logger_ips; multi_logger_ips plus and minus 1.96 of it is an interval of 95%.
--
-- It takes the lists of different loggers for independent.
-- formula: \left(\sum_{\ell \in \Lambda} \frac{|S_{\ell}|}{\sigma_{\ell}^2}\right)^{-1} \sqrt{\sum_{\ell \in \Lambda} \frac{|S_{\ell}|^2}{(|S_{\ell}| - 1) \sigma_{\ell}^2}}
-- undefined: no logger has two lists with different values.
-- subject: log
-- better: lower
-- range: [0, inf)
-- source: W. G. Cochran, "Problems Arising in the Analysis of a Series of Similar Experiments" (1937), doi:10.2307/2984123
SELECT SQRT(precise_errors) / NULLIF(logger_precisions, 0) AS multi_logger_ips_error
FROM runs
