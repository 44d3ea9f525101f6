-- highest_score: highest score of the list; 1 where a rank column orders it and there is none.
SELECT MAX(COALESCE(score, 1)) AS highest_score
FROM pools
