-- judged_outside_candidates: items of the truth that the candidates of their list do not have; ranked all the same
--
-- needs: candidates
-- shown: if any
SELECT COUNT(*) AS judged_outside_candidates
FROM judged_outside_candidates
