-- personalization: 1 - mean cosine similarity of all pairs of lists, by the items of their first k recommendations.
--
-- It is computed from the sum of the list vectors, without building pairs of lists. A repeated item counts at each of its
-- positions, which may take the metric below 0; duplicates=first removes repeats.
-- subject: coverage
-- formula: 1 - \frac{2}{m (m - 1)} \sum_{s \lt t} \frac{|L_k^{(s)} \cap L_k^{(t)}|}{\sqrt{|L_k^{(s)}| |L_k^{(t)}|}}
-- undefined: fewer than two lists have recommendations.
-- range: [0, 1] if no list repeats an item
-- source: Zhou et al. (2010), Solving the apparent diversity-accuracy dilemma of recommender systems. doi:10.1073/pnas.1000488107
SELECT CASE WHEN $lengths THEN 1 - (squared_sum - n_nonempty_lists) / NULLIF(n_nonempty_lists * (n_nonempty_lists - 1), 0) END AS personalization
FROM runs
