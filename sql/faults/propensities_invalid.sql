-- propensities_invalid: Some relevant items have no propensity above 0 and up to 1.
--
-- n: the relevant items.
-- needs: weights
-- samples: truth relevant_without_propensity
SELECT propensities_invalid AS n
FROM account
WHERE propensities_invalid > 0
