-- rel: the lowest rating that counts as relevant; without one, any rating above 0 does.
--
-- range: (-inf, inf)
-- needs: rating
SELECT NULL AS rel
