-- surprisal: mean surprise of the first k places, by how many users of the history know the item.
--
-- undefined: the divisor is 0, as the length of an empty list is; normalized, the history knows one user only.
-- range: [0, inf), to 1 if normalized, where nothing is known to more users than there are
-- aliases: self_information
-- source: Zhou et al. (2010), Solving the apparent diversity-accuracy dilemma of recommender systems. doi:10.1073/pnas.1000488107
SELECT surprises / NULLIF($divisor, 0) AS surprisal
FROM metrics
