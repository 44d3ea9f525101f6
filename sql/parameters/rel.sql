-- rel: the lowest relevant rating; without it, every rating above 0 is relevant.
--
-- range: (-inf, inf)
-- needs: rating
SELECT NULL AS rel
