-- propensities_invalid: Some relevant items have no propensity above 0 and up to 1.
--
-- A metric weights hits by 1 / propensity, and some relevant items have no propensity, or one that is not above 0
-- and up to 1. Give each relevant item of the truth its propensity, or compute propensities from the history:
-- `propensity=popularity`. Limit the weights of small propensities by `limit`, and not by a propensity of 0. See
-- [Weights for what could be seen](propensities.md).
--
-- rows: relevant items that have no propensity above 0 and up to 1
-- of: truth
-- measured: weights
-- needs: weights
-- order: 11
-- say: {n: relevant item has; relevant items have} no propensity above 0 and up to 1{in propensity}, such as
--    {truth}. A hit counts 1 / propensity: give each relevant item the probability with which it is seen. Give items
--    that could not be seen no row in the truth.
SELECT truth_id, item
FROM relevant_propensities
WHERE propensity IS NULL OR propensity <= 0 OR propensity > 1
