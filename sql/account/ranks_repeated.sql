-- ranks_repeated: ranks that a list has more than once
--
-- needs: rank
SELECT COUNT(*) AS ranks_repeated
FROM repeated_ranks
