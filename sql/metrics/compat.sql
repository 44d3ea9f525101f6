-- compat: compatibility: the greatest rank-biased overlap of the first k recommendations with the first k of any ideal list, as a share of that of the ideal list with itself.
--
-- An ideal list has all relevant items, the highest rating first. Items with the same rating are in the order of the list. Depths
-- below the end of both lists are left out. Without ratings, every order of the relevant items is ideal. The authors have p=0.95.
-- formula: \frac{\sum_{i=1}^{k} p^{i-1} \frac{|L_i \cap I_i|}{i}}{\sum_{i=1}^{k} p^{i-1} \frac{|I_i|}{i}}
-- subject: graded
-- cutoff: needed
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- aliases: compatibility
-- source: C. L. A. Clarke, A. Vtyurina, M. D. Smucker (2021), Assessing top-k preferences. doi:10.1145/3451161
SELECT CASE WHEN n_relevant > 0 THEN COALESCE(ideal_agreements / NULLIF($of, 0), 0) END AS compat
FROM metrics
