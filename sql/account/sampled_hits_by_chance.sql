-- sampled_hits_by_chance: of those, how many there would be if each list had the truth of another
SELECT COALESCE(SUM(chance), 0) AS sampled_hits_by_chance
FROM sampled_chances
