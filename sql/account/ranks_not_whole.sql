-- ranks_not_whole: recommendations whose rank is not a whole number, or is beyond 2^53
--
-- needs: wide rank
SELECT COUNT(*) AS ranks_not_whole
FROM recs_with_broken_rank
