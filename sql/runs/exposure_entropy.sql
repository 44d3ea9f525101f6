-- exposure_entropy: entropy of the distribution of items over the first k recommendations of all lists, in bits.
--
-- formula: -\sum_{x} f_x \log_2 f_x
-- undefined: no list has recommendations.
-- range: [0, inf)
-- aliases: shannon_entropy
-- source: Shannon (1948), A mathematical theory of communication. doi:10.1002/j.1538-7305.1948.tb01338.x
SELECT $over AS exposure_entropy
FROM runs
