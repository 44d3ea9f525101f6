-- lowest_score: lowest score of the list; 0 where a rank column orders it and there is none.
SELECT MIN(COALESCE(score, 0)) AS lowest_score
FROM pools
