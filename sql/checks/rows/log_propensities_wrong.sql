-- log_propensities_wrong: Some propensities of the log are not above 0 and at most 1.
--
-- A propensity is the probability that an item was shown where it was shown, when it was logged: above 0 and at most
-- 1. A row whose propensity is 0 or missing cannot be weighted. If it was logged by something else than the policy
-- whose propensities you have, leave it out.
--
-- rows: rows of the log whose propensity is not above 0 and at most 1
-- of: log
-- needs: propensity
-- order: 19
-- say: {n: row of the log has; rows of the log have} no propensity{in propensity}, or a wrong one, such as {log}.
--    A propensity is above 0 and at most 1: the probability that the item was shown where it was shown.
SELECT log_id, item
FROM log
WHERE log_id IS NOT NULL AND item IS NOT NULL AND (propensity IS NULL OR NOT (propensity > 0 AND propensity <= 1))
