-- hits_with_cost: one row per hit, with the gains of the list and the cost of reading the ideal list, both down to its rank.
--
-- Below its last rank, the ideal list costs 1 per rank.
SELECT
  hits_with_gain.list_id, hits_with_gain.rank, hits_with_gain.gain, hits_with_gain.gain_so_far,
  ideal_costs.cost_so_far + hits_with_gain.rank - ideal_costs.rank AS cost
FROM hits_with_gain
JOIN relevant_counts ON hits_with_gain.truth_id = relevant_counts.truth_id
JOIN ideal_costs
  ON relevant_counts.truth_id = ideal_costs.truth_id AND ideal_costs.rank = LEAST(hits_with_gain.rank, relevant_counts.n_relevant)
