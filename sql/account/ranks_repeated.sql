-- ranks_repeated: ranks that occur more than once in a list
--
-- needs: rank
-- counted: in doubt
SELECT COUNT(*) AS ranks_repeated
FROM repeated_ranks
