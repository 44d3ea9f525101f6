-- of: the highest value, which the sum over the hits is divided by.
SELECT
  perfect_novel_patience_gains AS perfect, -- the value of an endless list of items that are all relevant to every subtopic
  ideal_novel_patience_gains AS ideal -- the value of the first k items of the greedy ideal list, as in `alpha_ndcg` (nNRBP of ndeval); needs a cutoff
FROM metrics
