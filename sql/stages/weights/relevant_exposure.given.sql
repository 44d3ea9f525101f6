-- relevant_exposure: one row per truth list and relevant item, with its propensity from the truth.
--
-- when: propensity = given
SELECT
  truth_id, item, rating, propensity,
  NULL AS n_users, NULL AS most_users, NULL AS fewest_users, NULL AS n_all_users
FROM judgments_with_propensity
WHERE $relevance
