-- of: the highest value, which the sum over the hits is a share of.
SELECT
  novel_reciprocal_ranks / NULLIF(n_subtopics * perfect_reciprocal_ranks, 0) AS perfect, -- the value of a list of k items that are all relevant to every subtopic (ndeval)
  novel_reciprocal_ranks / NULLIF(ideal_reciprocal_ranks, 0) AS ideal, -- the value of the greedy ideal list, as in `alpha_ndcg` (nERR-IA of ndeval)
  expected_subtopic_stops / NULLIF(n_subtopics, 0) AS subtopics -- the value if a reader of each subtopic stopped at rank 1: the mean of `err` over the subtopics, with `redundancy` as the probability of stopping (Chapelle et al. 2011)

FROM metrics
