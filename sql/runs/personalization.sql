-- personalization: one less the mean cosine similarity of all pairs of lists, by the items of their first k places.
--
-- In closed form, over the items: no pair of lists is formed. It is the cosine where no list repeats an item: what repeats
-- counts at each of its places, and may take the metric below 0: duplicates=first leaves out what repeats.
-- undefined: fewer than two lists hold an item.
-- range: [0, 1] while no list repeats an item
-- source: Zhou et al. (2010), Solving the apparent diversity-accuracy dilemma of recommender systems. doi:10.1073/pnas.1000488107
SELECT CASE WHEN $lengths THEN 1 - (squared_sum - n_nonempty_lists) / NULLIF(n_nonempty_lists * (n_nonempty_lists - 1), 0) END AS personalization
FROM runs
